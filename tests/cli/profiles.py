#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stria-cli profile and graph on files written here. Prints TAP.

    profiles.py STRIA_CLI
"""

import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..', 'fixtures'))
sys.dont_write_bytecode = True

import traces  # noqa: E402
from flat import build  # noqa: E402
from make_etdumps import profile as event  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

OK, PARTIAL, USAGE, UNOPENED, CANCELLED, FAILED = range(6)

KERNEL = 1


def dump(runs):
    """An ETDump: a load, and an execution for each duration of the kernel."""
    blocks = [{0: 'Default', 3: [event(0, 22484, 'Method::init', -1)]}]
    for ticks in runs:
        blocks.append({0: 'Execute', 3: [
            event(100, 100 + ticks, 'native_call_add.out'), event(90, 200 + ticks, 'OPERATOR_CALL'),
            event(50, 5000 + ticks, 'Method::execute', -1)]})
    return build({0: ('I', 0), 1: blocks}, b'ED00', True)


def program(*methods):
    """A program whose methods call one kernel each."""
    call = {0: ('B', KERNEL), 1: {0: ('i', 0), 1: ('i', [])}}
    return build({1: [{0: name, 5: [{2: [call]}], 6: [{0: 'aten::add', 1: 'out'}]}
                      for name in methods]}, b'ET12')


class Place:
    def __init__(self, program_path, folder):
        self.folder = folder
        self.cli = Cli(program_path, os.path.join(folder, 'cache'))

    def folder_of(self, name, **files):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        for file, data in files.items():
            with open(os.path.join(folder, file.replace('_', '.')), 'wb') as out:
                out.write(data)
        return folder


def figures(result, entity):
    """Metrics of an entity by name and aggregation."""
    for breakdown in result['breakdowns']:
        if breakdown['entity_id'] == entity:
            return {(m['name'], m.get('aggregation')): m for m in breakdown['metrics']}
    return {}


# Members by the schema; where it closes an object no other may be.
MEMBERS = {
    'top': ({'schema_version', 'run_id', 'timestamp', 'tool', 'target', 'model', 'context',
             'backends', 'results'}, {'extensions'}),
    'tool': ({'name', 'version'}, set()),
    'backend': ({'id', 'name', 'version', 'configuration'}, {'impl'}),
    'model': ({'name', 'format', 'hash'}, {'size_bytes'}),
    'context': (set(), {'runtime_configuration', 'git', 'notes', 'cli_arguments'}),
    'result': ({'kind', 'status', 'producer'},
               {'warnings', 'errors', 'metrics', 'breakdowns', 'mode', 'checks', 'entities',
                'entity_kinds', 'advice'}),
    'metric': ({'name', 'value', 'unit'}, {'aggregation', 'samples', 'qualifiers'}),
    'unavailable': ({'name', 'unit', 'availability', 'reason'}, {'qualifiers'}),
    'breakdown': ({'entity_id', 'metrics'}, {'id', 'qualifiers'}),
    'check': ({'id', 'status'}, {'entity_id', 'details'}),
    'entity_kind': ({'id'}, {'parent_kinds', 'child_kinds'}),
    'entity': ({'id', 'kind', 'name'},
               {'placement', 'parent_ids', 'child_ids', 'attributes', 'stack_trace'}),
}
KNOWN_KINDS = {'source_operator', 'model', 'code_stack', 'code_line'}


def schema_problems(output):
    problems = []

    def members(kind, value):
        needed, allowed = MEMBERS[kind]
        if not needed <= set(value) or set(value) - needed - allowed:
            problems.append('%s: %s' % (kind, sorted(value)))

    def metrics(values):
        for metric in values:
            members('unavailable' if 'availability' in metric else 'metric', metric)
            if 'availability' in metric and not metric['reason']:
                problems.append('no reason: %s' % metric)

    members('top', output)
    members('tool', output['tool'])
    members('model', output['model'])
    members('context', output['context'])
    for backend in output['backends']:
        members('backend', backend)
    if not re.fullmatch('[0-9a-f]{64}', output['model']['hash']):
        problems.append('hash: %s' % output['model'])
    for result in output['results']:
        members('result', result)
        metrics(result['metrics'])
        ids = [entity['id'] for entity in result['entities']]
        kinds = {kind['id'] for kind in result['entity_kinds']}
        if len(set(ids)) != len(ids):
            problems.append('ids are not unique')
        for kind in result['entity_kinds']:
            members('entity_kind', kind)
            for other in kind['parent_kinds'] + kind['child_kinds']:
                if other not in kinds | KNOWN_KINDS:
                    problems.append('kind %s' % other)
        for entity in result['entities']:
            members('entity', entity)
            if entity['kind'] not in kinds | KNOWN_KINDS:
                problems.append('kind of %s' % entity)
            for other in entity.get('parent_ids', []) + entity.get('child_ids', []):
                if other not in ids:
                    problems.append('%s names %s' % (entity['id'], other))
        for breakdown in result['breakdowns']:
            members('breakdown', breakdown)
            metrics(breakdown['metrics'])
            if breakdown['entity_id'] not in ids:
                problems.append('breakdown of %s' % breakdown['entity_id'])
        for check in result['checks']:
            members('check', check)
            if check['status'] not in ('pass', 'fail', 'partial'):
                problems.append('check: %s' % check)
    return problems


def test_runtime(tap, place):
    folder = place.folder_of('alone', run_etdump=dump([1000, 2000, 4000]))
    output = place.cli.json('profile', folder, check=[OK])
    result, = output['results']
    tap.equal(schema_problems(output), [], 'the members are those of the schema')
    model = {(m['name'], m.get('aggregation')): m for m in result['metrics']}
    # Method::execute: 4950 ticks and the kernel's, in ns.
    time = dict(model['inference_time', 'mean'])
    tap.equal(round(time.pop('value'), 12), round((3 * 4950 + 7000) / 3 / 1e6, 12),
              'time of an inference')
    tap.equal(time, {'name': 'inference_time', 'unit': 'ms', 'aggregation': 'mean', 'samples': 3},
              'and what it is')
    found = figures(result, 'instruction/0')
    tap.equal({name: found['runtime', name]['value']
               for name in ('sum', 'p50', 'min', 'max', 'count')},
              {'sum': 0.007, 'p50': 0.002, 'min': 0.001, 'max': 0.004, 'count': 3},
              "the kernel's own scope")
    tap.equal(round(found['runtime', 'p90']['value'], 9), 0.0036, 'P90 between ranks')
    tap.equal(figures(result, 'framework/load/Method::init')['runtime', 'mean']['value'], 0.022484,
              'what loading took')
    tap.equal([a['code'] for a in output['extensions']['stria']['assumptions']], ['time-unit'],
              'the unit is an assumption')
    views = output['extensions']['stria']['views']
    tap.ok(not any(view['available'] for view in views.values())
           and all(view['reason'] for view in views.values()), 'each view says why it is not there',
           views)

    output = place.cli.json('profile', folder, '--unit', 'cycles', check=[OK])
    result, = output['results']
    tap.equal(schema_problems(output), [], 'the members are those of the schema, in cycles')
    tap.equal(figures(result, 'instruction/0')['runtime', 'sum'],
              {'name': 'runtime', 'value': 7000, 'unit': 'cycles', 'aggregation': 'sum',
               'samples': 3},
              'cycles are cycles')
    tap.equal([m for m in result['metrics'] if m['name'] == 'inference_time'][0]['availability'],
              'unavailable', 'cycles are no time of an inference')
    text = place.cli.run('profile', folder, check=[OK]).stdout.decode()
    tap.ok('0.007' in text and 'native' not in text and 'add.out' in text, 'as text', text)
    done = place.cli.run('profile', folder, '--method', 'forward', check=[FAILED])
    tap.ok(b'forward' in done.stderr, 'a dump names no methods', done)
    # No lanes, no events in them: the other commands have nothing to fail on.
    for command in (['info'], ['check'], ['stats'], ['export', '--format', 'csv']):
        done = place.cli.run(command[0], folder, *command[1:])
        tap.ok(done.returncode in (OK, PARTIAL, FAILED), '%s of a dump' % command[0], done)


def test_methods(tap, place):
    folder = place.folder_of('methods', model_pte=program('forward', 'encode'),
                             run_etdump=dump([1000]))
    done = place.cli.run('profile', folder, check=[USAGE])
    tap.ok(b'forward, encode' in done.stderr, 'methods have to be named', done)
    done = place.cli.run('profile', '--json', folder, check=[USAGE])
    tap.equal(json.loads(done.stdout)['error']['code'], 'query', 'and in JSON')
    output = place.cli.json('profile', folder, '--method', 'encode')
    tap.equal(schema_problems(output), [], 'members of the schema with a program')
    tap.equal(output['backends'][0]['configuration']['method'], 'encode',
              'the method that was asked for')
    tap.ok('method-of-runs' in [a['code'] for a in output['extensions']['stria']['assumptions']],
           'which method ran is an assumption')
    done = place.cli.run('profile', folder, '--method', 'moon', check=[FAILED])
    tap.ok(b'forward, encode' in done.stderr, 'a method that is not there', done)
    single = place.folder_of('single', model_pte=program('forward'))
    output = place.cli.json('profile', single)
    tap.equal(output['backends'][0]['configuration']['method'], 'forward',
              'one method chooses itself')

    graphs = place.cli.json('graph', folder, 'plan', check=[OK])
    tap.equal((graphs['label'], [g['id'] for g in graphs['graphs']]),
              ('model.pte', ['forward', 'encode']), 'plans of all methods')
    graphs = place.cli.json('graph', folder, 'plan', '--method', 'encode', check=[OK])
    tap.equal([g['id'] for g in graphs['graphs']], ['encode'], 'plan of one method')
    node = [n for n in graphs['graphs'][0]['nodes'] if n['id'] == 'encode_0_0'][0]
    tap.equal(sorted(node), ['attrs', 'id', 'incomingEdges', 'inputsMetadata', 'label', 'namespace',
                             'outputsMetadata', 'subgraphIds'], 'members of a node')
    done = place.cli.run('graph', folder, 'plan', '--method', 'moon', check=[FAILED])
    tap.ok(b'forward, encode' in done.stderr, 'a plan of a method that is not there', done)


def test_graph(tap, place):
    folder = place.folder_of('graph', model_pte=program('forward'))
    done = place.cli.run('graph', folder, 'plan', '--format', 'dot', check=[OK])
    text = done.stdout.decode()
    tap.ok(text.startswith('digraph {') and 'aten::add' in text
           and text.count('{') == text.count('}'), 'dot', text)
    done = place.cli.run('graph', folder, 'plan', '--format', 'svg', check=[OK])
    tap.ok(b'<svg' in done.stdout, 'SVG', done)
    for view in ('source', 'exported', 'vgf', 'chains', 'mapping', 'trace', 'hierarchy'):
        done = place.cli.run('graph', folder, view, check=[FAILED])
        tap.ok(view.encode() in done.stderr and len(done.stderr.splitlines()[-1]) > 60,
               '%s is not there, and why' % view, done)


def test_sets(tap, place):
    folder = place.folder_of('sets', one_etdump=dump([1000]), two_etdump=dump([2000]),
                             model_pte=program('forward'))
    done = place.cli.run('profile', folder, check=[USAGE])
    tap.ok(b'one.etdump, two.etdump' in done.stderr, 'sets have to be named', done)
    output = place.cli.json('profile', folder, '--set', 'two.etdump')
    tap.equal(figures(output['results'][0], 'instruction/0')['runtime', 'sum']['value'], 0.002,
              'the set that was asked for')
    tap.equal(output['backends'][0]['configuration'].get('program'), 'model.pte',
              'the only program belongs to both')
    done = place.cli.run('profile', folder, '--set', 'three', check=[FAILED])
    tap.ok(b'one.etdump, two.etdump' in done.stderr, 'a set that is not there', done)


def test_others(tap, place):
    trace = traces.write(os.path.join(place.folder, 'trace.json'))
    for command in (['profile', trace], ['graph', trace, 'plan']):
        done = place.cli.run(*command, check=[FAILED])
        tap.ok(b'ExecuTorch' in done.stderr and not done.stdout, '%s of a trace' % command[0], done)
    folder = place.folder_of('mixed', run_etdump=dump([1000]), bad_pte=program('forward')[:40])
    output = place.cli.json('profile', folder, check=[PARTIAL])
    tap.equal(figures(output['results'][0], 'instruction/0')['runtime', 'sum']['value'], 0.001,
              'a program that is cut does not hide the dump')


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(sys.argv[1], folder)
        for test in (test_runtime, test_methods, test_graph, test_sets, test_others):
            test(tap, place)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
