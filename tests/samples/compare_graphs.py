#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the graphs that the store has of real programs with those that Model Explorer's adapter
makes of them, node by node, and says of each difference why it is one.

    compare_graphs.py STRIA_CLI SOURCE_ROOT [NAME...]

The files are those of $STRIA_SAMPLES/executorch and vgf there, or of ../shared/samples beside the source;
they are no part of the project, and without them the test is skipped. Prints TAP.
"""

import collections
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.dont_write_bytecode = True

import graphs  # noqa: E402
import vgf_graphs  # noqa: E402
from graphs import Rule  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

PLAN = 3
VGF = 4

# -- execution plans ------------------------------------------------------------------------------

PLAN_NODE_KEYS = ('overload', 'blobLocation', 'blobIndex', 'blobOffset', 'blobBytes', 'blobContent',
                  'compileSpec ')
PLAN_PORT_KEYS = ('elementType', 'bytes', 'dynamism', 'memoryId', 'memoryOffset')


def is_ours(difference, keys):
    return difference.kind == 'attribute extra' and any(
        difference.key == key or key.endswith(' ') and difference.key.startswith(key)
        for key in keys)


PLAN_RULES = [
    Rule('what the numbers of an instruction stand for: added under names of our own',
         lambda d: d.where == 'node' and is_ours(d, PLAN_NODE_KEYS)),
    Rule('what the numbers of a tensor stand for: added under names of our own',
         lambda d: d.where not in ('node', None) and is_ours(d, PLAN_PORT_KEYS)),
]
VELA_RULES = PLAN_RULES + [
    Rule('its subgraph was made of a TOSA file beside the program; a Vela stream holds no graph',
         lambda d: d.kind == 'subgraphs' and d.node == 'forward_0_1' and d.found == []),
]

# Shape and element type as an engineer reads them, from the attributes that were expected.
ELEMENTS = {'0': 'uint8', '1': 'int8', '3': 'int32', '4': 'int64', '6': 'float32'}
OTHERS = {'1': 'null', '2': 'int', '3': 'bool', '4': 'double'}


def type_of(attrs):
    attrs = dict(attrs)
    if attrs['valType'] != '5':
        return OTHERS[attrs['valType']]
    sizes = attrs['sizes'].strip('[]').replace(', ', '×')
    return ('%s %s' % (sizes, ELEMENTS[attrs['scalarType']])).strip()


def check_plan(tap, store, title, expected):
    """What the expected graph does not have: keys of nodes, types of ports."""
    wrong = []
    for node in store.node_rows(expected['id'], PLAN):
        name = store.texts[node['id']]
        place = re.fullmatch(re.escape(expected['id']) + r'_(\d+)_(\d+)', name)
        key = -1 if place is None else int(place[1]) << 32 | int(place[2])
        if node['key'] != key:
            wrong.append('%s: key %d, expected %d' % (name, node['key'], key))
        for way in ('input', 'output'):
            for port, (_, attrs) in zip(store.port_rows(node, way),
                                        expected['nodes'][name][way + 's']):
                found = store.texts[port['type']]
                if found != type_of(attrs):
                    wrong.append('%s, port %s: type %r, expected %r' % (
                        name, store.texts[port['id']], found, type_of(attrs)))
    tap.ok(not wrong, '%s: keys and types' % title, *wrong)


# -- samples --------------------------------------------------------------------------------------

# title, file, expected, kind of graph, rules, and a check of what only we have; where our graph has
# other names, what it is called and what makes it the adapter's form
Sample = collections.namedtuple('Sample', 'title file expected kind rules check name adapt',
                                defaults=(None, None))

SAMPLES = [
    Sample('VGF inline: plan', 'executorch/mobilenet_v2_vgf/input.pte',
           'executorch/mobilenet_v2_vgf/expected_main.json', PLAN, PLAN_RULES, check_plan),
    Sample('VGF in a segment: plan', 'executorch/mobilenet_v2_vgf_segments/input.pte',
           'executorch/mobilenet_v2_vgf_segments/expected_main.json', PLAN, PLAN_RULES, check_plan),
    Sample('Vela: plan', 'executorch/mobilenet_v2_ethosu/input.pte',
           'executorch/mobilenet_v2_ethosu/expected_main.json', PLAN, VELA_RULES, check_plan),
    Sample('vww4', 'vgf/vww4/input.vgf', 'vgf/vww4/expected.json', VGF, vgf_graphs.RULES,
           vgf_graphs.check, 'main', vgf_graphs.adapter_form),
    Sample('VGF in a program', 'executorch/mobilenet_v2_vgf/input.pte',
           'executorch/mobilenet_v2_vgf/expected_delegates.json', VGF, vgf_graphs.RULES,
           vgf_graphs.check, None, vgf_graphs.adapter_form),
    Sample('VGF in a program, older adapter', 'executorch/mobilenet_v2_vgf/input.pte',
           'executorch/mobilenet_v2_vgf/expected.json', VGF, vgf_graphs.OLDER_RULES, None, None,
           lambda store, ours, kind: vgf_graphs.adapter_form(store, ours, kind, with_end=False)),
]


def say(difference):
    place = ', '.join(str(part) for part in difference[1:4] if part is not None)
    return '%s: %s: expected %.300r, found %.300r' % (difference.kind, place, difference.expected,
                                                      difference.found)


def show_explained(tap, explained):
    by_why = collections.defaultdict(collections.Counter)
    for difference, why in explained:
        by_why[why]['%s %s' % (difference.kind, difference.key or difference.node)] += 1
    for why, found in by_why.items():
        tap.say('%d explained: %s' % (sum(found.values()), why))
        for what, n in sorted(found.items()):
            tap.say('    %d × %s' % (n, what))


def compare_one(tap, store, sample, graph):
    expected = graphs.from_json(graph)
    title = '%s %s' % (sample.title, expected['id'])
    ours = store.graph(sample.name or expected['id'], sample.kind)
    if sample.adapt is not None:
        ours = sample.adapt(store, ours, sample.kind)
    explained, unexplained = graphs.compare(expected, ours, sample.rules)
    tap.ok(not unexplained, '%s: no unexplained difference in %s' % (
        title, ', '.join('%d %s' % (n, what) for what, n in graphs.counts(expected).items())),
           *(say(difference) for difference in unexplained))
    show_explained(tap, explained)
    missed = [what for what, wrong in graphs.spoiled(ours)
              if not graphs.compare(expected, wrong, sample.rules)[1]]
    tap.ok(not missed, '%s: a graph that is spoiled is told' % title, *missed)
    if sample.check is not None:
        sample.check(tap, store, title, expected)


# -- what is printed, and programs without an expected graph ---------------------------------------

# Of each program: bytes planned, delegates as (backend, calls, location, offset, bytes, content), and
# how often operators are called.
INFO = {
    'add.pte': (48, [], {'aten::add.out': 1}),
    'keyword-spotting.pte': (16000, [], {
        'cortex_m::quantize_per_tensor.out': 1, 'cortex_m::quantized_depthwise_conv2d.out': 5,
        'dim_order_ops::_clone_dim_order.out': 2, 'cortex_m::quantized_conv2d.out': 4,
        'cortex_m::pad.out': 1, 'cortex_m::quantized_avg_pool2d.out': 1,
        'cortex_m::quantized_linear.out': 1, 'cortex_m::dequantize_per_tensor.out': 1}),
    'mobilenet_v2_vgf/input.pte': (
        752640, [('VgfBackend', 1, 'inline', 112, 4003940, 'VGF')],
        {'quantized_decomposed::quantize_per_tensor.out': 1,
         'quantized_decomposed::dequantize_per_tensor.out': 1}),
    'mobilenet_v2_vgf_segments/input.pte': (
        752640, [('VgfBackend', 1, 'segment', 1920, 4004032, 'VGF')],
        {'quantized_decomposed::quantize_per_tensor.out': 1,
         'quantized_decomposed::dequantize_per_tensor.out': 1}),
    'mobilenet_v2_ethosu/input.pte': (
        752640, [('EthosUBackend', 1, 'inline', 112, 3379376, 'Vela')],
        {'cortex_m::quantize_per_tensor.out': 1, 'cortex_m::dequantize_per_tensor.out': 1}),
}


def check_info(tap, cli, folder):
    for name, expected in INFO.items():
        info = cli.json('info', os.path.join(folder, 'executorch', name))
        program, = info['programs']
        found = (program['plans'][0]['planned_bytes'],
                 [(d['backend'], d['calls'], d['location'], d['offset'], d['bytes'], d['content'])
                  for d in program['delegates']],
                 {o['name']: o['calls'] for o in program['plans'][0]['operators']})
        tap.equal(found, expected, '%s: plans, delegates and operators' % name)
        tap.equal(info['notices'], [], '%s: no notices' % name)
        store = graphs.Store(info['store'])
        nodes = store.graph('forward', PLAN)['nodes']
        printed, = cli.json('graph', os.path.join(folder, 'executorch', name), 'plan')['graphs']
        tap.ok(not any(graphs.differences(store.graph('forward', PLAN), graphs.from_json(printed))),
               '%s: the graph that is printed is the store\'s' % name)
        tap.equal([node for node in nodes if not nodes[node]['edges']], ['GraphInputs'],
                  '%s: each instruction is given what another one made' % name)
        store.close()


def main():
    program, root, *names = sys.argv[1:]
    folder = os.environ.get('STRIA_SAMPLES') or os.path.join(root, '..', 'shared', 'samples')
    if not os.path.isdir(os.path.join(folder, 'executorch')):
        skip_all('no sample programs at %s' % folder)
    tap = Tap()
    with tempfile.TemporaryDirectory() as cache:
        cli = Cli(program, cache)
        for sample in SAMPLES:
            if names and not any(name in sample.file + sample.title for name in names):
                continue
            try:
                info = cli.json('info', os.path.join(folder, sample.file))
                tap.equal(info['notices'], [], '%s: no notices' % sample.title)
                with open(os.path.join(folder, sample.expected), encoding='utf-8') as file:
                    collection = json.load(file)
                store = graphs.Store(info['store'])
                for graph in collection['graphs']:
                    compare_one(tap, store, sample, graph)
                store.close()
            except AssertionError as error:
                tap.ok(False, sample.title, error)
        if not names:
            check_info(tap, cli, folder)
            vgf_graphs.check_small(tap, cli, folder, graphs.Store)
            vgf_graphs.check_segment(tap, cli, folder)
    tap.ok(tap.count > 0, 'programs were there')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
