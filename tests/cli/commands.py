#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every command of stria-cli on small traces and on bad input: output and exit codes. Prints TAP.

    commands.py STRIA_CLI
"""

import csv
import gzip
import io
import json
import os
import re
import struct
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

import traces  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

OK, PARTIAL, USAGE, UNOPENED, CANCELLED, FAILED = range(6)
COMMANDS = ('info', 'import', 'query', 'stats', 'memory', 'profile', 'graph', 'render', 'export',
            'check', 'cache', 'diff')


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


class Place:
    """A folder with what the tests need, and a cache."""

    def __init__(self, program, folder):
        self.folder = folder
        self.cli = Cli(program, os.path.join(folder, 'cache'))
        self.good = traces.write(self.path('good.json'))

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, data):
        with open(self.path(name), 'wb') as file:
            file.write(data)
        return self.path(name)


def code(place, *arguments):
    return place.cli.run(*arguments).returncode


def test_usage(tap, place):
    for command in COMMANDS:
        done = place.cli.run(command, '--help')
        tap.ok(done.returncode == OK and b'Exit codes' in done.stdout and not done.stderr,
               '%s --help' % command, done)
    for arguments in ([], ['nothing'], ['info'], ['query', place.good], ['info', '--no-such'],
                      ['query', place.good, 'select 1', '--format', 'xml'],
                      ['query', place.good, 'select 1', '--no-store'],
                      ['query', place.good, 'select 1', 'select 2'],
                      ['stats', place.good, '--by', 'moon'], ['stats', place.good, '--sort', 'moon'],
                      ['memory', place.good, '--by', 'moon'], ['memory', place.good, '--top', '-1'],
                      ['memory', place.good, '--steps', '1,x'], ['memory', place.good, '--diff', 'a'],
                      ['memory'],
                      ['profile'], ['profile', place.good, '--unit', 'parsec'],
                      ['graph', place.good], ['graph', place.good, 'moon'],
                      ['graph', place.good, 'plan', '--format', 'xml'],
                      ['stats', place.good, '--top', '-1'],
                      ['stats', place.good, '--range', '5'],
                      ['stats', place.good, '--range', '9ms:1ms'],
                      ['stats', place.good, '--range', '1parsec:2parsec'],
                      ['render', 'timeline', place.good],
                      ['render', 'moon', place.good, '-o', place.path('x.png')],
                      ['render', 'timeline', place.good, '-o', place.path('x.bmp')],
                      ['render', 'timeline', place.good, '-o', place.path('x.png'), '--size', '9'],
                      ['render', 'timeline', place.good, '-o', place.path('x.png'), '--scale', '99'],
                      ['export', place.good], ['export', place.good, '--format', 'xml'],
                      ['diff', place.good], ['diff', place.good, place.good, '--base', '3'],
                      ['diff', place.good, place.good, '--by', 'moon'],
                      ['diff', place.good, place.good, '--fail-above', 'much'],
                      ['cache', '--clear', '--evict'], ['cache', '--max-size', '1M'],
                      ['cache', '--evict', '--max-size', 'much']):
        done = place.cli.run(*arguments)
        tap.ok(done.returncode == USAGE and done.stderr.startswith(b'stria-cli: ')
               and not done.stdout, 'a usage error: %s' % ' '.join(map(os.path.basename, arguments)),
               done)
    done = place.cli.run('--version', check=[OK])
    tap.ok(done.stdout.startswith(b'stria-cli '), 'version')


def test_documents(tap, place):
    """The manual and the completions know the options that the program has, and no others."""
    texts = {}
    for name in ('man/stria-cli.1', 'completions/stria-cli'):
        with open(os.path.join(ROOT, 'data', name), encoding='utf-8') as file:
            texts[name] = file.read().replace('\\-', '-')
    known = {'--version', '--help'}
    for command in COMMANDS:
        text = place.cli.run(command, '--help').stdout.decode()
        options = set(re.findall(r'^  (?:-\w, )?(--[a-z-]+)', text, re.MULTILINE))
        tap.ok('--json' in options, '%s has --json' % command, text)
        known |= options
        for name, document in texts.items():
            tap.equal(sorted(option for option in options if option not in document), [],
                      '%s: options of %s' % (name, command))
    for name, document in texts.items():
        tap.equal(sorted(set(re.findall(r'--[a-z][a-z-]+', document)) - known), [],
                  '%s: no option that is not there' % name)


def test_info(tap, place):
    info = place.cli.json('info', place.good, check=[OK])
    tap.equal({c['name']: (c['slices'], c['instants'], c['samples'], c['duration_ns'])
               for c in info['categories']},
              {'cpu_op': (2, 0, 0, 80500), 'cuda_runtime': (1, 0, 0, 5003),
               'kernel': (1, 0, 0, 1000001), 'user': (1, 0, 0, 100000), 'mark': (0, 1, 0, 0),
               'io': (1, 0, 0, 100000), '': (0, 0, 2, 0)}, 'info: exact sums by category')
    tap.equal((info['events']['slices'], info['events']['instants'], info['events']['samples'],
               info['events']['duration_ns']), (6, 1, 2, 1285504), 'info: events')
    tap.equal(info['range'], {'start_ns': 100000, 'end_ns': 2100000}, 'info: time range')
    tap.equal(info['wall_base_ns'], 1700000000000000000, 'info: base time')
    tap.equal((info['flows']['bound'], info['flows']['unbound']), (1, 0), 'info: flows')
    tap.equal([(p['key'], p['name'], p['labels']) for p in info['processes']],
              [('7', 'python', 'CPU'), ('0', None, None)], 'info: processes in their order')
    tap.equal(sorted((lane['kind'], lane['key'], lane['events']) for lane in info['lanes']),
              [('async', '', 1), ('counter', '', 2), ('instants', '11', 1), ('overflow', '11', 1),
               ('slices', '11', 2), ('slices', '12', 1), ('slices', '3', 1)], 'info: lanes')
    artifact = info['artifacts'][0]
    tap.equal((artifact['name'], artifact['kind'], artifact['state'], artifact['size']),
              ('good.json', 'pytorch-trace', 'imported', os.path.getsize(place.good)),
              'info: artifact')
    tap.equal(artifact['metadata']['distributedInfo'], {'rank': 0, 'world_size': 2},
              'info: known metadata are told')
    tap.ok('metadata' in artifact['other_keys'] + artifact['hidden_keys']
           and 'metadata' not in artifact['metadata'], 'info: of unknown metadata only the key',
           artifact)

    text = place.cli.run('info', place.good, check=[OK]).stdout
    as_json = place.cli.run('info', place.good, '--json', check=[OK]).stdout
    tap.ok(b'not-for-anybody' not in text + as_json, 'info: no dump of an environment')
    tap.ok(b'\x1b' not in text and b'cpu_op' in text, 'info: plain text in a pipe', text)


def test_query(tap, place):
    rows = place.cli.json('query', place.good,
                          'SELECT name, ts, dur, args (artifact_id, args_ref) AS args '
                          'FROM named_slice WHERE name = \'aten::mm\'', check=[OK])
    tap.equal([(r['name'], r['ts'], r['dur']) for r in rows], [('aten::mm', 100000, 50500)],
              'query: a row')
    tap.equal(json.loads(rows[0]['args'])['note'], 'a "b"\n\\', 'query: args () is the text')
    tap.equal(place.cli.query(place.good, 'SELECT name (name) FROM slice WHERE dur = 1000001'),
              [('gemm',)], 'query: name ()')
    tap.equal(place.cli.query(place.good, 'SELECT json_extract (args (0, args), \'$.stream\') '
                                          'FROM slice WHERE dur = 1000001'), [(3,)],
              'query: arguments as JSON')
    tap.equal(place.cli.query(place.good, 'SELECT value FROM json_each (\'[1, 2]\')'),
              [(1,), (2,)], 'query: table functions of JSON')
    tap.equal(place.cli.query(place.good, 'SELECT 9223372036854775807, 0.1, NULL AS n, x\'00ff\''),
              [(9223372036854775807, 0.1, None, '00ff')], 'query: all types')
    text = place.cli.run('query', place.good, '--format', 'csv',
                         'SELECT \'a,"b"\' AS x, 1 AS y UNION ALL SELECT NULL, 2', check=[OK]).stdout
    tap.equal(list(csv.reader(io.StringIO(text.decode(), newline=''))),
              [['x', 'y'], ['a,"b"', '1'], ['', '2']], 'query: CSV')
    text = place.cli.run('query', place.good, 'SELECT \'\x1b[31m\' AS x, 12 AS number', check=[OK])
    tap.equal(text.stdout.decode().splitlines()[1].split(), ['\\x1b[31m', '12'],
              'query: control characters are made visible')
    tap.equal(place.cli.json('query', place.good, 'SELECT 1 WHERE 0', check=[OK]), [],
              'query: no rows')

    store = place.cli.json('import', place.good, check=[OK])['store']
    with open(store, 'rb') as file:
        before = file.read()
    for sql in ('DELETE FROM slice', 'INSERT INTO meta VALUES (1, 2)', 'DROP TABLE slice',
                'CREATE TEMP TABLE t (x)', 'ATTACH \'%s\' AS x' % place.path('attached.db'),
                'PRAGMA journal_mode = WAL', 'PRAGMA writable_schema = ON', 'VACUUM',
                'VACUUM INTO \'%s\'' % place.path('copy.db'), 'BEGIN', 'SELECT 1; DELETE FROM meta',
                'SELECT load_extension (\'x\')', 'SELECT * FROM nothing', 'SELECT', '', ';',
                'UPDATE meta SET value = 1', 'REINDEX', 'ANALYZE', 'SELECT writefile (\'x\', \'y\')'):
        done = place.cli.run('query', place.good, sql)
        tap.ok(done.returncode == FAILED and done.stderr, 'query refuses: %s' % sql.split('\'')[0],
               done)
    with open(store, 'rb') as file:
        tap.ok(file.read() == before, 'query: the store is as it was')
    tap.ok(not os.path.exists(place.path('attached.db')) and not os.path.exists('x')
           and not os.path.exists(place.path('copy.db')), 'query: no file was made')
    tap.equal(place.cli.query(store, 'SELECT count (*) FROM slice'), [(6,)],
              'query: a store by its path')


def test_stats(tap, place):
    stats = place.cli.json('stats', place.good, check=[OK])
    rows = {row['name']: row for row in stats['rows']}
    tap.equal((rows['gemm']['count'], rows['gemm']['total_ns'], rows['gemm']['p95_ns']),
              (1, 1000001, 1000001), 'stats: by name')
    tap.equal(rows['aten::mm']['self_ns'], 50500 - 5003, 'stats: self time')
    tap.equal(stats['rows'][0]['name'], 'gemm', 'stats: greatest total first')
    stats = place.cli.json('stats', place.good, '--by', 'category', '--range', '10us:20us',
                           check=[OK])
    tap.equal({row['name']: row['total_ns'] for row in stats['rows']},
              {'cpu_op': 10000, 'cuda_runtime': 5003}, 'stats: what lies in a range')
    same = place.cli.json('stats', place.good, '--by', 'category', '--absolute',
                          '--range', '110us:120us', check=[OK])
    tap.equal(same['rows'], stats['rows'], 'stats: absolute times')
    text = place.cli.run('stats', place.good, '--format', 'csv', '--sort', 'name', check=[OK])
    rows = list(csv.DictReader(io.StringIO(text.stdout.decode(), newline='')))
    tap.equal([row['name'] for row in rows],
              sorted(row['name'] for row in rows), 'stats: CSV, by name')
    text = place.cli.run('stats', place.good, '--top', '1', check=[OK]).stdout.decode()
    tap.ok('gemm' in text and 'aten' not in text, 'stats: the first only', text)


def png_size(path):
    with open(path, 'rb') as file:
        head = file.read(24)
    return struct.unpack('>II', head[16:]) if head.startswith(b'\x89PNG') else None


def test_render(tap, place):
    path = place.path('out.png')
    place.cli.run('render', 'timeline', place.good, '-o', path, check=[OK])
    tap.equal(png_size(path), (1600, 900), 'render: a PNG of the usual size')
    with open(path, 'rb') as file:
        light = file.read()
    place.cli.run('render', 'timeline', place.good, '-o', path, '--dark', check=[OK])
    with open(path, 'rb') as file:
        tap.ok(file.read() != light, 'render: dark is not light')
    told = place.cli.json('render', 'timeline', place.good, '-o', path, '--size', '800x300',
                          '--scale', '2', '--range', '1us:2.5us', '--search', 'gemm', check=[OK])
    tap.equal(png_size(path), (1600, 600), 'render: size times scale')
    picture = told['pictures'][0]
    tap.equal((picture['start_ns'], picture['end_ns'], picture['matches']), (101000, 102500, 1),
              'render: says what it drew')
    place.cli.run('render', 'timeline', place.good, '-o', path, '--size', '700x', check=[OK])
    tap.ok(png_size(path)[0] == 700 and png_size(path)[1] > 200, 'render: as high as the lanes need',
           png_size(path))
    path = place.path('out.svg')
    place.cli.run('render', 'timeline', place.good, '-o', path, '--select', 'gemm', check=[OK])
    root = xml.etree.ElementTree.parse(path).getroot()
    tap.ok(root.tag.endswith('svg') and root.get('width').startswith('1600'), 'render: SVG',
           root.attrib)
    path = place.path('out.pdf')
    place.cli.run('render', 'timeline', place.good, '-o', path, check=[OK])
    with open(path, 'rb') as file:
        tap.ok(file.read(5) == b'%PDF-', 'render: PDF')
    place.cli.run('render', 'all', place.good, '-o', place.path('all'), check=[OK])
    tap.equal(os.listdir(place.path('all')), ['timeline.png'], 'render: all views')
    for suffix in ('png', 'svg', 'pdf'):
        tap.equal(code(place, 'render', 'timeline', place.good, '-o',
                       place.path('nowhere/x.' + suffix)), FAILED,
                  'render: no such folder for %s' % suffix)
    tap.equal(code(place, 'render', 'timeline', place.good, '-o', place.path('x.png'), '--select',
                   'nobody'), FAILED, 'render: nothing of that name')
    tap.equal(code(place, 'render', 'timeline', place.good, '-o', place.path('x.png'), '--size',
                   '32767x32767', '--scale', '16'), FAILED, 'render: too large')


SLICES = ('SELECT pid, tid, process, thread, lane_kind, name, category, ts, dur, depth, flags, '
          'json (args (artifact_id, args_ref)) FROM named_slice')


def round_trip(tap, place, path, title):
    out = place.path('again.json')
    place.cli.run('export', path, '--format', 'perfetto', '-o', out, check=[OK])
    with open(out, encoding='utf-8') as file:
        document = json.load(file)
    tap.equal(sorted(place.cli.query(out, SLICES), key=repr),
              sorted(place.cli.query(path, SLICES), key=repr), '%s: the same slices' % title)
    for sql, what in (
            ('SELECT l.key, name (i.name), i.ts, i.flags FROM instant i JOIN lane l ON l.id = i.lane',
             'instants'),
            ('SELECT l.name, s.ts, s.value FROM sample s JOIN lane l ON l.id = s.lane', 'samples'),
            ('SELECT key, name, labels, sort_index FROM process', 'processes'),
            ('SELECT a.ts, a.dur, b.ts, b.dur, name (f.name) FROM arrow f '
             'JOIN slice a ON a.id = f.from_id JOIN slice b ON b.id = f.to_id', 'flows')):
        tap.equal(sorted(place.cli.query(out, sql), key=repr),
                  sorted(place.cli.query(path, sql), key=repr), '%s: the same %s' % (title, what))
    return document


def test_export(tap, place):
    document = round_trip(tap, place, place.good, 'export')
    tap.equal((document['baseTimeNanoseconds'], document['displayTimeUnit'],
               'metadata' in document), (1700000000000000000, 'ms', False), 'export: known metadata')
    place.cli.run('export', place.good, '--format', 'perfetto', '-o', place.path('text.json'),
                  check=[OK])
    with open(place.path('text.json'), encoding='utf-8') as file:
        tap.ok('"ts": 110.125, "dur": 5.003' in file.read(), 'export: exact times')

    base = 4102444800 * 10 ** 6 # in 2100: microseconds that a double does not hold with decimals
    far = traces.write(place.path('far.json'), {'traceEvents': [
        {'ph': 'X', 'name': 'a', 'pid': 'Spans', 'tid': '12', 'ts': base, 'dur': 1},
        {'ph': 'X', 'name': '', 'pid': 'Spans', 'tid': 'x"y', 'ts': base, 'dur': 0}]})
    with open(far, encoding='utf-8') as file:
        text = file.read().replace(str(base), str(base) + '.123')
    place.file('far.json', text.encode())
    round_trip(tap, place, far, 'export, far times and keys')
    tap.equal(place.cli.query(far, 'SELECT min (ts) FROM slice'), [(base * 1000 + 123,)],
              'export: far times are exact')

    odd = place.file('odd.json', b'{"traceEvents": [{"ph":"X","name":"n","pid":1,"tid":1,"ts":1,'
                     b'"dur":2,"args":{"a":NaN,"b":[-Infinity, 1,],"c":"tab\tand \xff"}}]}')
    place.cli.run('export', odd, '--format', 'perfetto', '-o', place.path('strict.json'))

    def refuse(word):
        raise ValueError(word)

    with open(place.path('strict.json'), encoding='utf-8') as file:
        args = [e for e in json.load(file, parse_constant=refuse)['traceEvents']
                if e['ph'] == 'X'][0]['args']
    tap.equal(args, {'a': 'NaN', 'b': ['-Infinity', 1], 'c': 'tab\tand \ufffd'},
              'export: what strict readers refuse is mended')

    done = place.cli.run('export', place.good, '--format', 'json', check=[OK])
    exported = json.loads(done.stdout)
    tap.equal(len(exported['events']), 9, 'export: JSON holds all events')
    gemm = [e for e in exported['events'] if e['name'] == 'gemm'][0]
    tap.equal((gemm['start_ns'], gemm['dur_ns'], gemm['correlation'], gemm['args']['stream'],
               exported['lanes'][gemm['lane']]['key']), (120000, 1000001, 42, 3, '3'),
              'export: an event in JSON')
    done = place.cli.run('export', place.good, '--format', 'csv', check=[OK])
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline='')))
    tap.equal([(r['start_ns'], r['dur_ns'], r['thread']) for r in rows if r['name'] == 'gemm'],
              [('120000', '1000001', '3')], 'export: an event in CSV')
    done = place.cli.run('export', place.good, '--format', 'json', '--range', '1ms:', check=[OK])
    tap.equal([e['name'] for e in json.loads(done.stdout)['events']], ['gemm', 'step', 'here'],
              'export: what overlaps a range, whole')
    tap.equal(code(place, 'export', place.good, '--format', 'csv', '-o',
                   place.path('nowhere/x.csv')), FAILED, 'export: no such folder')
    if os.path.exists('/dev/full'):
        tap.equal(code(place, 'export', place.good, '--format', 'csv', '-o', '/dev/full'), FAILED,
                  'export: the disk is full')
    tap.ok(not [name for name in os.listdir(place.folder) if name.startswith(('text.json.',
                                                                              'strict.json.'))],
           'export: nothing temporary is left', os.listdir(place.folder))

    folder = place.path('ranks')
    os.mkdir(folder)
    for rank in range(2):
        traces.write(os.path.join(folder, 'rank%d.json' % rank))
    out = place.path('ranks.json')
    place.cli.run('export', folder, '--format', 'perfetto', '-o', out, check=[OK])
    tap.equal(place.cli.query(out, 'SELECT count (*), sum (dur) FROM slice'),
              [(12, 2 * 1285504)], 'export: two files with the same process ids in one')


def test_bad_input(tap, place):
    text = json.dumps(traces.document()).encode()
    cut = text[:text.index(b'gemm') - 20]
    bad = {
        'missing.json': None,
        'empty.json': b'',
        'text.json': b'hello, this is no trace\n' * 10,
        'noise.json.gz': b'\x1f\x8b\x08\x00' + bytes(range(256)),
        'image.png': b'\x89PNG\r\n\x1a\n' + b'\x00' * 100,
    }
    for name, data in bad.items():
        path = place.path(name) if data is None else place.file(name, data)
        for command in (['info', path], ['import', path], ['stats', path], ['check', path],
                        ['query', path, 'SELECT 1'], ['export', path, '--format', 'csv'],
                        ['render', 'timeline', path, '-o', place.path('x.png')]):
            done = place.cli.run(*command)
            good = done.returncode == UNOPENED and name.encode() in done.stderr + done.stdout
            if command[0] not in ('check', 'info'):
                good = good and not done.stdout
            tap.ok(good, '%s %s' % (command[0], name), done)
        error = place.cli.json('info', path, check=[UNOPENED])['error']
        tap.ok(error['code'] and name in error['message'], 'info --json %s' % name, error)

    path = place.file('cut.json', cut)
    info = place.cli.json('info', path, check=[PARTIAL])
    tap.ok(info['events']['slices'] >= 2 and info['notices'], 'a cut file keeps what was read', info)
    checked = place.cli.json('check', path, check=[PARTIAL])['files'][0]
    tap.ok(checked['verdict'] == 'faulty' and
           any('truncated' in n['code'] or 'cut' in n['code'] for n in checked['notices']),
           'check: a cut file', checked)
    done = place.cli.run('query', path, 'SELECT 1', check=[PARTIAL])
    tap.ok(b'cut.json' in done.stderr and b'1' in done.stdout, 'a cut file is told of on the side', done)
    path = place.file('cut.json.gz', gzip.compress(text)[:-40])
    tap.equal(code(place, 'check', path), PARTIAL, 'check: a cut gzip file')

    tap.equal(code(place, 'check', place.good), OK, 'check: a sound file')
    files = place.cli.json('check', place.good, place.path('empty.json'), path,
                           check=[PARTIAL])['files']
    tap.equal([f['verdict'] for f in files], ['sound', 'unreadable', 'faulty'], 'check: three files')
    tap.equal(files[1]['error']['code'], 'empty', 'check: the code of the error')

    folder = place.path('mixed')
    os.mkdir(folder)
    traces.write(os.path.join(folder, 'good.json'))
    place.file('mixed/notes.txt', b'nothing to see')
    tap.equal(code(place, 'info', folder), OK, 'a folder with a file of another kind')
    place.file('mixed/bad.json.gz', gzip.compress(text)[:200])
    info = place.cli.json('info', folder, check=[PARTIAL])
    tap.equal({a['name']: a['state'] for a in info['artifacts']}['good.json'], 'imported',
              'one bad file does not spoil the others')
    if os.geteuid() != 0:
        os.chmod(place.good, 0)
        tap.equal(code(place, 'info', '--no-store', place.good), UNOPENED, 'a file without rights')
        os.chmod(place.good, 0o600)
    name = place.path('esc\x1b[31m.json')
    done = place.cli.run('info', name)
    tap.ok(done.returncode == UNOPENED and b'\x1b' not in done.stderr,
           'no control characters of a name reach the terminal', done)


def main():
    program = sys.argv[1]
    tap = Tap()
    for test in (test_usage, test_documents, test_info, test_query, test_stats, test_render,
                 test_export, test_bad_input):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(tap, Place(program, folder))
            except AssertionError as error:
                tap.ok(False, test.__name__, error)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
