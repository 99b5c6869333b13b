#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stria-cli render graph, export html and profile --compare on a made model. Prints TAP.

    pictures.py STRIA_CLI
"""

import base64
import hashlib
import json
import os
import struct
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))
sys.dont_write_bytecode = True

import make_executorch  # noqa: E402
import traces  # noqa: E402
from page import Page  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

OK, PARTIAL, USAGE, UNOPENED, CANCELLED, FAILED = range(6)

VIEWS = ('source', 'exported', 'module', 'plan', 'vgf', 'chains', 'mapping', 'trace', 'hierarchy')
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;\'"]]>\u2028'


class Place:
    def __init__(self, program, folder):
        self.folder = folder
        self.cli = Cli(program, os.path.join(folder, 'cache'))
        self.captures = make_executorch.captures()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def capture(self, name, folder=None):
        path = self.path(folder or name)
        if not os.path.isdir(path):
            make_executorch.write(path, self.captures[name])
        return path


def png_size(path):
    with open(path, 'rb') as file:
        head = file.read(24)
    if head[:8] != b'\x89PNG\r\n\x1a\n':
        return None
    return struct.unpack('>II', head[16:24])


def read(path, mode='r'):
    with open(path, mode, **({} if 'b' in mode else {'encoding': 'utf-8'})) as file:
        return file.read()


def test_render(tap, place):
    base = place.capture('base')
    for view in VIEWS:
        path = place.path('%s.png' % view)
        done = place.cli.json('render', 'graph', base, '--method', 'forward', '--view', view, '-o',
                              path)
        picture, = done['pictures']
        tap.equal((picture['part'], picture['path'], png_size(path)),
                  (view, path, (picture['width'], picture['height'])), 'a picture of %s' % view)
    path = place.path('first.png')
    done = place.cli.json('render', 'graph', base, '--method', 'forward', '-o', path)
    tap.equal(done['pictures'][0]['part'], 'mapping', 'the mapping comes first')
    done = place.cli.json('render', 'graph', place.capture('no-dump'), '--method', 'forward', '-o',
                          path)
    tap.equal(done['pictures'][0]['part'], 'source', 'else the source model')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--size', '640x480', '--scale', '2',
                  '--dark', '-o', path)
    tap.equal(png_size(path), (1280, 960), 'size and scale')
    whole = place.cli.json('render', 'graph', base, '-m', 'forward', '--level', 'all', '-o', path)
    folded = place.cli.json('render', 'graph', base, '-m', 'forward', '--level', '0', '-o', path)
    tap.ok(folded['pictures'][0]['height'] < whole['pictures'][0]['height'],
           'folded it is smaller', folded, whole)
    wide = place.cli.json('render', 'graph', base, '-m', 'forward', '--view', 'source', '-o', path)
    high = place.cli.json('render', 'graph', base, '-m', 'forward', '--view', 'source',
                          '--direction', 'tb', '-o', path)
    tap.ok(wide['pictures'][0]['height'] < high['pictures'][0]['height'],
           'from top to bottom it is higher', wide, high)
    path = place.path('trace.svg')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--view', 'trace', '-o', path)
    root = xml.etree.ElementTree.parse(path).getroot()
    tap.ok(root.tag.endswith('svg') and len(list(root.iter())) > 100, 'SVG')
    path = place.path('trace.pdf')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--view', 'trace', '-o', path)
    tap.ok(read(path, 'rb').startswith(b'%PDF-'), 'PDF')

    path = place.path('no.png')
    for arguments, code, word in (
            (['--view', 'nothing'], FAILED, b'mapping'), (['--level', 'x'], USAGE, b'--level'),
            (['--direction', 'up'], USAGE, b'--direction'), (['--metric', 'x'], USAGE,
                                                              b'total_cycles'),
            (['--aggregation', 'x'], USAGE, b'p50'), (['--unit', 'x'], USAGE, b'--unit'),
            (['--size', '9x9'], USAGE, b'16')):
        done = place.cli.run('render', 'graph', base, '-m', 'forward', *arguments, '-o', path,
                             check=[code])
        tap.ok(word in done.stderr and not os.path.exists(path), '%s %s' % tuple(arguments), done)
    done = place.cli.run('render', 'graph', base, '-o', path, check=[USAGE])
    tap.ok(b'forward' in done.stderr, 'a method has to be named', done)
    done = place.cli.run('render', 'graph', place.capture('no-dump'), '-m', 'forward', '--view',
                         'chains', '-o', path, check=[FAILED])
    tap.ok(b'ETDump' in done.stderr, 'a view that is not there says what would bring it', done)
    done = place.cli.run('render', 'graph', traces.write(place.path('trace.json')), '-o', path,
                         check=[FAILED])
    tap.ok(b'ExecuTorch' in done.stderr, 'a trace has no graphs', done)
    # A counter colours the chains in place of their cycles.
    same = place.path('cycles.png'), place.path('counter.png')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--view', 'chains', '-o', same[0])
    place.cli.run('render', 'graph', base, '-m', 'forward', '--view', 'chains', '--metric',
                  'ce_active_cycles', '-o', same[1])
    tap.ok(read(same[0], 'rb') != read(same[1], 'rb'), 'another metric, another picture')


def test_all(tap, place):
    folder = place.path('pictures')
    place.cli.run('render', 'all', place.capture('base'), '-o', folder, check=[OK, PARTIAL])
    found = sorted(name for name in os.listdir(folder) if name.startswith('graph-'))
    wanted = ['graph-forward-%s.png' % view for view in VIEWS]
    wanted += ['graph-other-%s.png' % view for view in ('exported', 'plan', 'source')]
    tap.equal(found, sorted(wanted), 'every view of each method')
    found = [name for name in os.listdir(folder) if name.startswith('counters')]
    tap.equal(found, ['counters-forward.png'], 'and the counters of the method that has some')
    tap.ok(png_size(os.path.join(folder, found[0]))[1] > 150, 'with room for every chain')
    folder = place.path('pictures-of-a-trace')
    place.cli.run('render', 'all', traces.write(place.path('trace.json')), '-o', folder)
    tap.equal(os.listdir(folder), ['timeline.png'], 'a trace is what it was')


def check_page(tap, text, title):
    page = Page(text)
    ids = page.ids()
    tap.equal(page.problems, [], '%s: well-formed' % title)
    tap.equal(sorted({i for i in ids if ids.count(i) > 1}), [], '%s: ids are unique' % title)
    tap.equal(sorted(set(page.references()) - set(ids)), [], '%s: what is named is there' % title)
    tap.equal(page.fetches(), [], '%s: nothing is fetched' % title)
    tap.ok('http:' not in text and 'https:' not in text, '%s: no address' % title)
    kinds = [attributes.get('type') for attributes, _ in page.scripts]
    tap.equal(kinds.count(None), 1, '%s: one script' % title)
    policy, = [attributes['content'] for tag, attributes in page.elements
               if attributes.get('http-equiv') == 'Content-Security-Policy']
    script, = [body for attributes, body in page.scripts if 'type' not in attributes]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    tap.ok("default-src 'none'" in policy and "'sha256-%s'" % digest in policy
           and policy.count('script-src') == 1, '%s: only that script may run' % title, policy)
    return page


def items_of(page, model, view):
    """Elements of a picture: id -> attributes."""
    start = 'm%d-v%d-i' % (model, view)
    return {attributes['id']: attributes for _, attributes in page.with_class('item')
            if attributes['id'].startswith(start)}


def check_places(tap, page, model, title):
    """What the data says is in a picture is there, and what it links to exists."""
    data = page.data('m%d-data' % model)
    ids = set(page.ids())
    missing, wrong = [], []
    for v, view in enumerate(data['views']):
        for thing in view.get('nodes', []) + view.get('groups', []):
            if 'i' in thing and 'm%d-v%d-i%d' % (model, v, thing['i']) not in ids:
                missing.append((v, thing))
            if thing.get('e', 0) >= len(data['entities']):
                wrong.append(thing)
        for identifier, attributes in items_of(page, model, v).items():
            if 'data-n' in attributes and int(attributes['data-n']) >= len(view['nodes']):
                wrong.append(identifier)
            if 'data-g' in attributes and int(attributes['data-g']) >= len(view['groups']):
                wrong.append(identifier)
    for entity in data['entities']:
        for other in [link[0] for link in entity['l']] + entity['up'] + entity['down']:
            if other >= len(data['entities']):
                wrong.append(entity)
    tap.equal(missing[:3], [], '%s: boxes of the data are in the pictures' % title)
    tap.equal(wrong[:3], [], '%s: numbers of the data are those of something' % title)
    return data


def test_page(tap, place):
    base = place.capture('base')
    path = place.path('base.html')
    place.cli.run('export', 'html', base, '-o', path)
    text = read(path)
    page = check_page(tap, text, 'page')
    data = check_places(tap, page, 0, 'page')
    check_places(tap, page, 1, 'other method')
    titles = [view['t'] for view in data['views'] if 'nodes' in view]
    tap.equal(titles[:5], ['Source Model', 'segment_cascade_chain', 'ETRecord Chain Mapping',
                           'ETDump Backend Trace', 'PTE - VGF Backend Hierarchy'], 'the five views')
    tabs = [a for tag, a in page.elements if a.get('role') == 'tab']
    panels = [a for tag, a in page.elements if a.get('role') == 'tabpanel']
    tap.equal(len(tabs), len(panels), 'a panel for each tab')
    tap.equal(sorted(a['aria-controls'] for a in tabs), sorted(a['id'] for a in panels),
              'tabs name their panels')
    # [fixture] chain 30: (15 + 100), (16 + 300), (23 + 200) cycles; chain 50: 1000, 1000, 4000
    labels = [a['aria-label'] for a in items_of(page, 0, 1).values()]
    tap.ok('segment_2/Chain 30, 223 cycles' in labels or 'Chain 30, 223 cycles' in labels,
           'a chain has its median', labels)
    tap.ok(any('1000 cycles' in label for label in labels), 'and the slowest one its own', labels)
    tap.ok(any('not measured' in label for label in labels), 'what was not measured says so',
           labels)
    words = page.visible()
    for part in ('The ETDump does not say what its ticks are', 'method-exists', 'record_sha256',
                 hashlib.sha256(place.captures['base']['model.pte']).hexdigest(),
                 '2 recorded runs call what', 'Median (P50) · 3 executions', 'Chains: total_cycles',
                 'neither divided nor to be added', 'does not show that it did not run'):
        tap.ok(part in words, 'the page says “%s”' % part)
    chain, = [entity for entity in data['entities'] if entity['id'] == 'chain/segment_2/30']
    figures = {m[0]: (m[1], dict(zip(m[3][::2], m[3][1::2]))) for m in chain['m']}
    tap.equal((figures['total_cycles'][0], figures['total_cycles'][1]['Max']), ('cycles', '316'),
              'figures in the data')
    links = [data['entities'][link[0]]['id'] for link in chain['l']]
    tap.ok('source_operator/relu_1' in links, 'links in the data', links)
    tap.ok('@media (prefers-color-scheme: dark)' in text, 'light and dark')

    folder = place.path('page')
    os.makedirs(folder)
    done = place.cli.json('export', base, '--format', 'html', '--method', 'other', '-o', folder)
    tap.equal(done['path'], os.path.join(folder, 'index.html'), 'into a folder')
    page = check_page(tap, read(done['path']), 'one method')
    tap.equal([a['id'] for _, a in page.with_class('model')], ['m0'], 'only the method asked for')
    done = place.cli.run('export', 'html', base, '--method', 'forward')
    check_page(tap, done.stdout.decode(), 'standard output')
    closed = place.cli.run('export', 'html', base, '-m', 'forward', '--level', '0').stdout.decode()
    tap.ok(closed.count('class="item') < done.stdout.decode().count('class="item'),
           'levels that are closed')
    check_places(tap, Page(closed), 0, 'closed')

    none = place.path('none.html')
    done = place.cli.run('export', 'html', traces.write(place.path('trace.json')), '-o', none,
                         check=[FAILED])
    tap.ok(not os.path.exists(none) and b'ExecuTorch' in done.stderr, 'no page of a trace', done)
    done = place.cli.run('export', 'html', base, '--method', 'moon', '-o', none, check=[FAILED])
    tap.ok(not os.path.exists(none) and b'forward, other' in done.stderr, 'no such method', done)
    done = place.cli.run('export', 'html', base, '-o', place.path('no', 'such', 'folder'),
                         check=[FAILED])
    tap.ok(b'No such file' in done.stderr, 'a place that is not there', done)


def test_counters(tap, place):
    """Bars whose lengths are the counters, and say them"""
    base = place.capture('base')
    page = Page(read(place.path('base.html')))
    bars, parts = [], []
    for tag, attributes in page.elements:
        if tag == 'svg' and attributes.get('class') == 'counters':
            bars.append(attributes['aria-label'])
            parts.append([])
        elif tag == 'rect' and attributes.get('class') == 'part' and 'x' in attributes:
            parts[-1].append(attributes)
    # [fixture] chain 50 counts 1000 cycles; chain 30: 8, 20, 31 and 223 in the median
    tap.equal(bars[:2], ['nx_active_cycles: 1000 cycles',
                         'ce_active_cycles: 8 cycles, me_src0_stall_cycles: 20 cycles, '
                         'me_src1_stall_cycles: 31 cycles, nx_active_cycles: 223 cycles'],
              'bars say their parts, the longest first')
    tap.equal([float(part['x']) for part in parts[1]], [0, 8, 28, 59], 'parts follow each other')
    tap.equal([float(part['width']) for part in parts[1]], [7, 19, 30, 222],
              'as long as they count, but for a line')
    tap.equal(len({part['style'] for part in parts[1]}), 4, 'in colours of their own')
    tap.ok('Nothing was counted' in bars, 'a chain without counters has a bar that says so', bars)
    other = [a for tag, a in page.elements if tag == 'section' and a.get('id', '').startswith('m1-p')]
    tap.ok(len(other) > 3 and 'EXECUTORCH_VGF_ENABLE_NEURAL_STATISTICS' in page.visible(),
           'a method without says how they are recorded')
    light, dark = place.path('counters.png'), place.path('counters-dark.png')
    done = place.cli.json('render', 'graph', base, '-m', 'forward', '--view', 'counters', '-o', light)
    tap.equal((done['pictures'][0]['part'], png_size(light)[0]), ('counters', 1200), 'as a picture')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--view', 'counters', '--dark', '-o', dark)
    tap.ok(read(light, 'rb') != read(dark, 'rb'), 'a dark one too')
    done = place.cli.run('render', 'graph', base, '-m', 'other', '--view', 'counters', '-o', light,
                         check=[FAILED])
    tap.ok(b'There are no counters' in done.stderr, 'where there are none, that is said', done)


def test_hostile(tap, place):
    """Every name of the record, and the folder's, tries to be more than text."""
    nodes, handles = make_executorch.NODES, make_executorch.frame
    names = {node[0]: HOSTILE + node[0] for node in nodes}
    make_executorch.NODES = [
        (names[name], handle, HOSTILE + operator, [names.get(i, i) for i in inputs],
         modules.replace('features', '<b>"\'&' + 'features'), (line, HOSTILE + source))
        for name, handle, operator, inputs, modules, (line, source) in nodes]
    try:
        files = dict(place.captures['base'], **{'model.etrecord': make_executorch.record()})
    finally:
        make_executorch.NODES = nodes
    folder = make_executorch.write(place.path('<img src=x onerror=alert(3)>\'"&'), files)
    path = place.path('hostile.html')
    place.cli.run('export', 'html', folder, '-o', path)
    text = read(path)
    page = check_page(tap, text, 'hostile')
    data = check_places(tap, page, 0, 'hostile')
    tap.ok('<img' not in text and 'alert(1)</script>' not in text,
           'hostile: nothing of it is markup')
    tap.ok(any(HOSTILE.replace('\u2028', '') in node['t'].replace('\u2028', '')
               for node in data['views'][0]['nodes']),
           'hostile: the data has the names as they are')
    tap.ok('<img src=x onerror=alert(3)>' in page.visible(), 'hostile: the title is text')
    tap.ok(any('<script>alert(1)' in (a.get('aria-label') or '') for _, a in page.elements),
           'hostile: labels are text')
    path = place.path('hostile.svg')
    place.cli.run('render', 'graph', folder, '-m', 'forward', '--view', 'source', '-o', path)
    root = xml.etree.ElementTree.parse(path).getroot()
    tap.ok(not [e for e in root.iter() if e.tag.endswith(('script', 'foreignObject'))],
           'hostile: SVG has no script')
    place.cli.run('render', 'all', folder, '-o', place.path('hostile-pictures'))
    tap.ok(os.path.exists(place.path('hostile-pictures', 'graph-forward-source.png')),
           'hostile: pictures have names that are files')


def test_svg(tap, place):
    done = place.cli.run('graph', place.capture('base'), 'plan', '--format', 'svg')
    root = xml.etree.ElementTree.fromstring(done.stdout)
    tap.ok(root.tag.endswith('svg'), 'a graph as SVG needs no other program')


def entities(output):
    return {entity.get('second_id', entity.get('first_id')): entity
            for entity in output['comparison']['entities']}


def figure(entity, name, aggregation):
    found, = [metric for metric in entity['metrics']
              if (metric['name'], metric['aggregation']) == (name, aggregation)]
    return found


def test_compare(tap, place):
    base, holed = place.capture('base'), place.capture('missing-payload')
    output = place.cli.json('profile', base, '--method', 'forward', '--compare', base)
    states = {entity['state'] for entity in output['comparison']['entities']}
    differences = {metric.get('difference', 0) for entity in output['comparison']['entities']
                   for metric in entity['metrics']}
    tap.equal((states, differences, output['comparison']['remarks']), ({'both'}, {0}, []),
              'nothing differs from itself')
    output = place.cli.json('profile', base, '--method', 'forward', '--compare', holed)
    tap.equal((output['comparison']['first']['set'], output['comparison']['second']['set']),
              ('base', 'missing-payload'), 'which is which')
    chain = entities(output)['chain/segment_4/50']
    # [fixture] 1000, 1000, 4000 cycles; the second execution is missing in the other
    found = figure(chain, 'total_cycles', 'p50')
    tap.equal((found['first'], found['second'], found['difference'], found['relative']),
              (1000, 2500, 1500, 1.5), 'difference of a chain')
    tap.equal((found['first_samples'], found['second_samples'], found['unequal_executions']),
              (3, 2, True), 'of how many executions')
    found = figure(chain, 'total_cycles', 'sum')
    tap.ok(not found['comparable'] and found['reason'] and 'difference' not in found,
           'sums of unequal numbers of executions are not compared', found)
    tap.equal([remark['code'] for remark in output['comparison']['remarks']],
              ['unequal-executions'], 'and that is said')
    operator = entities(output)['source_operator/relu_1']
    tap.equal((operator['state'], operator['matched_by']), ('both', 'handle'),
              'operators are matched by their place')
    text = place.cli.run('profile', base, '-m', 'forward', '--compare', holed,
                         '--aggregation', 'mean').stdout.decode()
    tap.ok('First: base' in text and 'Second: missing-payload' in text and '3/2' in text,
           'as text', text)
    path = place.path('change.png')
    place.cli.run('render', 'graph', base, '-m', 'forward', '--compare', holed, '-o', path)
    tap.ok(png_size(path) is not None, 'as colours')
    done = place.cli.run('profile', base, '-m', 'forward', '--compare', place.path('nothing'))
    tap.equal(done.returncode, UNOPENED, 'another one that is not there')
    output = place.cli.json('profile', base, '--method', 'forward', '--compare',
                            place.capture('one-method'))
    tap.ok('other-record' in [r['code'] for r in output['comparison']['remarks']],
           'other records are said', output['comparison']['remarks'])
    # The dump's ticks are cycles or ns, but never one of each.
    text = json.dumps(place.cli.json('profile', base, '-m', 'forward', '-u', 'cycles', '--compare',
                                     base))
    tap.ok('"unit": "ms"' not in text and '"reason"' not in text, 'one unit for both')
    # Another program, with a call of the backend elsewhere
    output = place.cli.json('profile', base, '-m', 'forward', '--compare',
                            place.capture('no-record'))
    lost = [entity['state'] for entity in output['comparison']['entities']
            if entity['kind'] == 'source_operator' and 'segment' not in entity.get('first_id', '')]
    tap.equal(set(lost), {'removed'}, 'without a record its operators are gone')


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(sys.argv[1], folder)
        for test in (test_render, test_all, test_page, test_counters, test_hostile, test_svg, test_compare):
            test(tap, place)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
