# SPDX-License-Identifier: Apache-2.0
"""The graph of a VGF as Model Explorer's adapter would have named it, and what is right to differ.

The adapter shows a function that was disassembled: its ids are places in that function, its `loc` is a
line of its text. Both can be told from what the store has:

- Each instruction of the function has a place, from 0. An operand that is a constant is an instruction
  of its own where it is used, in the order of operands, right before the operator that uses it. The
  adapter draws no constants, but edges come from their places.
- The text has a line for each instruction behind those of the module, a global variable for each input
  and output, the entry point and the graph: with one input and one output, place 0 is line 6.
- An instruction begins behind four blanks and, if it has a result, "%N = ", N counting the results
  that have no name. Constants of the module are named after their type or value; those that the file
  holds are not, and neither are replicated ones: lists of more than one element, all equal and not 0.
- The end of the graph is an instruction, "GraphOutputs", whose operands are what the graph gives.
"""

import os

from graphs import Rule

ELEMENTS = {'bool': 'i1', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int48': 'i48',
            'float16': 'f16', 'float32': 'f32'}
FIRST_LINE = 4  # of what does not depend on the number of inputs and outputs
INDENT = 4
# The adapter writes these as the operand's number and type, and others by name or as a list.
AS_NUMBERS = ('min_val', 'max_val', 'nan_mode')


def mlir_type(text):
    sizes, _, element = text.rpartition(' ')
    if not sizes:
        return ELEMENTS[element]
    return '!spirv.arm.tensor<%sx%s>' % (sizes.replace('×', 'x'), ELEMENTS[element])


def is_operator(key):
    return key.startswith('source_operator/')


def is_replicated(value):
    elements = value.strip('[]').split(', ')
    return len(elements) > 1 and len(set(elements)) == 1 and elements[0] not in ('0', 'false')


class Namer:
    """@with_end: whether the end of the graph is a node."""

    def __init__(self, ours, types, with_end):
        self.nodes = ours['nodes']
        self.types = types
        self.with_end = with_end
        self.place = 0
        self.results = 0
        self.names = {}
        self.out = {}
        n = sum(1 for node in self.nodes.values() for _, value in node['attrs']
                if value in ('INPUT', 'OUTPUT'))
        self.first_line = FIRST_LINE + n

    def loc(self, has_result):
        column = INDENT + 1
        if has_result:
            column += len('%%%d = ' % self.results)
        return ('loc', 'loc("-":%d:%d)' % (self.first_line + self.place, column))

    def operator(self, key, node):
        edges = {target: source for source, _, target in node['edges']}
        attrs = dict(node['attrs'])
        inputs, entering = [], []
        for port, extra in node['inputs']:
            extra_keys = dict(extra)
            kind = mlir_type(self.types[key, 'input', port])
            if port in edges:
                entering.append((edges[port], port))
            else:
                assert ('value' in extra_keys) != ('constant' in extra_keys), (key, port, extra)
                entering.append((str(self.place), port))
                self.place += 1
                self.results += 'constant' in extra_keys or is_replicated(extra_keys['value'])
            name = self.types[key, 'name', port]
            if name in AS_NUMBERS and name in attrs:
                attrs[name] = '%s : %s' % (extra_keys['value'], kind)
            inputs.append((port, [('tensor_shape', kind), *extra]))
        self.names[key] = str(self.place)
        self.out[self.names[key]] = dict(
            node, attrs=[self.loc(True), *attrs.items()], inputs=inputs,
            outputs=[(port, [('tensor_index', port),
                             ('tensor_shape', mlir_type(self.types[key, 'output', port])), *extra])
                     for port, extra in node['outputs']],
            edges=sorted((self.names.get(source, source), '0', port) for source, port in entering))
        self.place += 1
        self.results += 1

    def end(self, namespace, given):
        """@given: (operator, output port) of what the graph gives"""
        if not self.with_end:
            return
        self.names['end'] = str(self.place)
        self.out[self.names['end']] = {
            'label': 'GraphOutputs', 'namespace': namespace, 'subgraphs': [], 'outputs': [],
            'attrs': [self.loc(False)],
            'inputs': [(str(i), [('tensor_shape', mlir_type(self.types[key, 'output', port]))])
                       for i, (key, port) in enumerate(given)],
            'edges': [(self.names[key], port, str(i)) for i, (key, port) in enumerate(given)],
        }

    def run(self):
        given, namespace = [], None
        for key, node in self.nodes.items():
            if is_operator(key):
                self.operator(key, node)
                namespace = node['namespace']
            else:
                given += [edge[:2] for edge in node['edges'] if is_operator(edge[0])]
        self.end(namespace, given)
        for key, node in self.nodes.items():
            if not is_operator(key):
                self.out[key] = dict(node, edges=[
                    ('end' if is_operator(source) and self.with_end else source, port or '0', to)
                    for source, port, to in node['edges']])
                self.out[key]['edges'] = [(self.names.get(source, source), port, to)
                                          for source, port, to in self.out[key]['edges']]
        return self.out


def types_of(store, name, kind):
    """Types and names of ports, which graphs do not hold."""
    types = {}
    for node in store.node_rows(name, kind):
        key = store.texts[node['id']]
        for way in ('input', 'output'):
            for port in store.port_rows(node, way):
                types[key, way, store.texts[port['id']]] = store.texts[port['type']]
                if way == 'input':
                    types[key, 'name', store.texts[port['id']]] = store.texts[port['name']]
    return types


def adapter_form(store, ours, kind, with_end=True):
    return {'id': ours['id'], 'nodes': Namer(ours, types_of(store, ours['id'], kind), with_end).run()}


def is_resource(node):
    return node is not None and node.startswith('mrt_')


def operators_of(names):
    return [name for name in names if name.isdigit()]


RULES = [
    Rule('a file of its own is called "main" here',
         lambda d: d.kind == 'graph id' and (d.expected, d.found) == ('Main', 'main')),
    Rule('which constant an operand is: added under names of our own',
         lambda d: d.kind == 'attribute extra' and d.where is not None
                   and d.where.startswith('inputs ') and d.key in ('value', 'constant', 'resource')),
    Rule('resources stand before what reads them; operators in the same order',
         lambda d: d.kind == 'node order' and operators_of(d.expected) == operators_of(d.found)),
    Rule('resources and the graph\'s outputs have a port for each edge; the adapter has none there',
         lambda d: d.kind == 'ports' and (is_resource(d.node) or d.node == 'GraphOutputs')
                   and d.expected == [] and d.found == ['0']),
    Rule('the adapter says what an output resource is nowhere; it is the same as for inputs',
         lambda d: d.kind == 'attribute extra' and is_resource(d.node) and d.where == 'node'
                   and d.key in ('Shape', 'Category', 'Format')),
    Rule('the adapter notes the type of the segment on its input; here that is of the group',
         lambda d: d.kind == 'attribute missing' and is_resource(d.node) and d.key == 'type'
                   and d.expected == ['GRAPH']),
]

# An older state of the adapter: what comes from a resource is said to enter at 0 whichever operand it
# is. The edge that is missing and the one that is there instead are two differences.
OLDER_RULES = RULES + [
    Rule('the older adapter let what comes from a resource enter at operand 0',
         lambda d: d.kind == 'edge missing' and is_resource(d.expected[0]) and d.expected[2] == '0'
                   and d.node == '1'),
    Rule('and here it enters at the operand that takes it',
         lambda d: d.kind == 'edge extra' and is_resource(d.found[0]) and d.found[2] == '1'
                   and d.node == '1'),
]

# -- what only we have ----------------------------------------------------------------------------

COUNTS = {
    'vww4': {'RESCALE': 94, 'CONV2D': 37, 'DEPTHWISE_CONV2D': 17, 'ADD': 10, 'PAD': 8,
             'AVG_POOL2D': 1, 'RESHAPE': 1},
    'mobilenet_v2': {'RESCALE': 83, 'CONV2D': 36, 'CLAMP': 35, 'DEPTHWISE_CONV2D': 17, 'ADD': 10,
                     'AVG_POOL2D': 1, 'RESHAPE': 1, 'TRANSPOSE': 1},
}
RESOURCES = {
    'vww4': {'constants': 95, 'INPUT': (95, '[1, 128, 128, 1]'), 'OUTPUT': (96, '[1, 2]')},
    'mobilenet_v2': {'constants': 105, 'INPUT': (105, '[1, 3, 224, 224]'),
                     'OUTPUT': (106, '[1, 1000]')},
}
CATEGORIES = ('INPUT', 'OUTPUT', 'INTERMEDIATE', 'CONSTANT')
VERSIONS = {'vww4': (0, 3, 0, 1), 'mobilenet_v2': (0, 4, 0, 0)}


def check(tap, store, title, graph):
    """Rows of the tables, and what hangs together by numbers."""
    name = 'vww4' if 'vww4' in title else 'mobilenet_v2'
    counts, wrong = {}, []
    for row in store.rows('vgf_operator').values():
        operator = store.texts[row['name']]
        counts[operator] = counts.get(operator, 0) + 1
        node = store.nodes[row['node']]
        if (store.texts[node['id']], node['key']) != (
                'source_operator/segment_%d/spirv-%d' % (row['segment'], row['spirv_id']),
                row['segment'] << 32 | row['spirv_id']):
            wrong.append('operator %d: node %s, key %d' % (row['spirv_id'], store.texts[node['id']],
                                                           node['key']))
        if store.texts[node['label']].upper() != operator.replace('_', ''):
            wrong.append('operator %s: label %s' % (operator, store.texts[node['label']]))
    tap.equal(counts, COUNTS[name], '%s: operators' % title)
    tap.ok(not wrong, '%s: operators and their nodes' % title, *wrong)
    vgf, = store.rows('vgf').values()
    tap.equal((vgf['major'], vgf['minor'], vgf['patch'], vgf['legacy_constants']), VERSIONS[name],
              '%s: version' % title)
    found = {'constants': len(store.rows('vgf_constant'))}
    for row in store.rows('vgf_resource').values():
        if row['category'] < 2:
            found[CATEGORIES[row['category']]] = (row['number'], store.texts[row['shape']])
    tap.equal(found, RESOURCES[name], '%s: resources' % title)
    tap.equal(sorted(row['resource'] for row in store.rows('vgf_constant').values()),
              list(range(found['constants'])), '%s: a constant for each constant resource' % title)


# -- files without an expected graph --------------------------------------------------------------

# Version, whether constants are in the old form, shapes of input and output. The code of all of them is
# one word, which is none.
SMALL = {
    'simple_conv2d_rescale_graph_outdated.vgf':
        ('0.3.0', True, 1, '[1, 16, 16, 16]', '[1, 8, 8, 16]'),
    'simple_conv2d_rescale_graph_v0_4_3.vgf':
        ('0.4.3', False, 1, '[1, 16, 16, 16]', '[1, 8, 8, 16]'),
    'single_maxpool_graph_pre_v0_4_0.vgf':
        ('0.3.0', True, 0, '[1, 16, 16, 16]', '[1, 8, 8, 16]'),
    'single_maxpool_graph_v0_4_3.vgf':
        ('0.4.3', False, 0, '[1, 16, 16, 16]', '[1, 8, 8, 16]'),
}
SMALL_EDGES = [('GraphInputs', 'mrt_0'), ('mrt_1', 'GraphOutputs')]


def check_small(tap, cli, folder, open_store):
    for name, (version, legacy, constants, given, made) in SMALL.items():
        info = cli.json('info', os.path.join(folder, 'vgf', name))
        vgf, = info['vgfs']
        tap.equal((vgf['version'], vgf['legacy_constants'], vgf['constants'], vgf['vulkan_header'],
                   vgf['operators']), (version, legacy, constants, 999, {}), '%s: opens' % name)
        notice, = info['notices']
        tap.ok(notice['code'] == 'vgf-spirv' and '5 words, found 1' in vgf['modules'][0]['error'],
               '%s: says that its module is no code' % name, notice, vgf['modules'])
        store = open_store(info['store'])
        nodes = store.graph('main', 4)['nodes']
        edges = sorted((edge[0], node) for node in nodes for edge in nodes[node]['edges'])
        tap.equal((edges, dict(nodes['mrt_0']['attrs'])['Shape'], dict(nodes['mrt_1']['attrs'])['Shape']),
                  (SMALL_EDGES, given, made), '%s: inputs and outputs' % name)
        store.close()


def check_segment(tap, cli, folder):
    """The same model, lowered later: one RESCALE more, which a count of the words by hand has too."""
    info = cli.json('info', os.path.join(folder, 'executorch', 'mobilenet_v2_vgf_segments', 'input.pte'))
    vgf, = info['vgfs']
    tap.equal(vgf['operators'], dict(COUNTS['mobilenet_v2'], RESCALE=84),
              'VGF in a segment: operators')
    tap.equal((vgf['offset'], vgf['bytes'], vgf['in_program'], vgf['resources']),
              (1920, 4004032, True, {'input': 1, 'output': 1, 'intermediate': 0, 'constant': 105}),
              'VGF in a segment: place and resources')
