# SPDX-License-Identifier: Apache-2.0
"""Graphs of the store and of Model Explorer's JSON in one form, and what differs between two.

A graph is a dict: id, and nodes, a dict from the id of a node to {label, namespace, subgraphs, attrs,
inputs, outputs, edges}. attrs is a list of (key, value), inputs and outputs are lists of (port, attrs),
edges a sorted list of (source node, source port, target port) of those that enter the node."""

import collections
import copy
import sqlite3

# What is different, and where: node or port, then the key of an attribute. expected or found is None
# where one side has nothing there.
Difference = collections.namedtuple('Difference', 'kind node where key expected found')

# Why a difference of a kind is right: test takes a Difference.
Rule = collections.namedtuple('Rule', 'why test')


# -- one form -------------------------------------------------------------------------------------

def pairs(attrs):
    return [(attr['key'], attr['value']) for attr in attrs]


def ports(metadata):
    return [(port['id'], pairs(port['attrs'])) for port in metadata]


def from_json(graph):
    """One of the graphs of a Model Explorer collection. Styles are not compared: they are null."""
    nodes = {}
    for node in graph['nodes']:
        assert node['id'] not in nodes, 'the expected graph has two nodes %s' % node['id']
        assert node.get('style') is None and node.get('config') is None, node['id']
        nodes[node['id']] = {
            'label': node['label'],
            'namespace': node['namespace'],
            'subgraphs': list(node['subgraphIds']),
            'attrs': pairs(node['attrs']),
            'inputs': ports(node['inputsMetadata']),
            'outputs': ports(node['outputsMetadata']),
            'edges': sorted((edge['sourceNodeId'], edge['sourceNodeOutputId'],
                             edge['targetNodeInputId']) for edge in node['incomingEdges']),
        }
    return {'id': graph['id'], 'nodes': nodes}


class Store:
    """The graphs of a store that stria-cli wrote. Texts are numbers of fact_string there, and groups,
    nodes and ports rows of tables whose runs belong to what is above them."""

    def __init__(self, path):
        self.database = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
        self.database.row_factory = sqlite3.Row
        self.texts = dict(self.database.execute('SELECT id, text FROM fact_string'))
        self.attrs = self.rows('graph_attr')
        self.ports = self.rows('graph_port')
        self.nodes = self.rows('graph_node')
        self.groups = self.rows('graph_group')

    def close(self):
        self.database.close()

    def rows(self, table):
        return {row['row']: row for row in self.database.execute('SELECT * FROM "%s"' % table)}

    def attrs_of(self, row):
        run = range(row['first_attr'], row['first_attr'] + row['n_attrs'])
        return [(self.texts[self.attrs[i]['key']], self.texts[self.attrs[i]['value']]) for i in run]

    def port_id(self, number):
        return None if number is None else self.texts[self.ports[number]['id']]

    def port_rows(self, node, way):
        first, n = node['first_' + way], node['n_' + way + 's']
        for i in range(first, first + n):
            assert self.ports[i]['node'] == node['row'], 'port %d is of another node' % i
            yield self.ports[i]

    def ports_of(self, node, way):
        return [(self.texts[p['id']], self.attrs_of(p)) for p in self.port_rows(node, way)]

    def graph_row(self, name, kind):
        for row in self.rows('graph').values():
            if self.texts[row['name']] == name and row['kind'] == kind:
                return row
        raise AssertionError('no graph %s of kind %d in the store' % (name, kind))

    def node_rows(self, name, kind):
        graph = self.graph_row(name, kind)
        return [self.nodes[i] for i in range(graph['first_node'],
                                             graph['first_node'] + graph['n_nodes'])]

    def graph(self, name, kind):
        nodes = {}
        graph = self.graph_row(name, kind)
        for node in self.node_rows(name, kind):
            assert node['graph'] == graph['row'], 'node %d is of another graph' % node['row']
            key = self.texts[node['id']]
            assert key not in nodes, 'two nodes %s' % key
            nodes[key] = {
                'label': self.texts[node['label']],
                'namespace': '' if node['group'] is None
                             else self.texts[self.groups[node['group']]['id']],
                'subgraphs': [self.texts[node['subgraph']]] if node['subgraph'] else [],
                'attrs': self.attrs_of(node),
                'inputs': self.ports_of(node, 'input'),
                'outputs': self.ports_of(node, 'output'),
                'edges': [],
            }
        for edge in self.rows('graph_edge').values():
            if edge['graph'] == graph['row']:
                source, target = self.nodes[edge['source']], self.nodes[edge['target']]
                nodes[self.texts[target['id']]]['edges'].append(
                    (self.texts[source['id']], self.port_id(edge['source_port']),
                     self.port_id(edge['target_port'])))
        for node in nodes.values():
            node['edges'].sort(key=repr)
        return {'id': name, 'nodes': nodes}


# -- what differs ---------------------------------------------------------------------------------

def differing_attrs(node, where, expected, ours):
    """Keys are compared as they come; one key may stand there more than once."""
    wanted, found = collections.defaultdict(list), collections.defaultdict(list)
    for key, value in expected:
        wanted[key].append(value)
    for key, value in ours:
        found[key].append(value)
    for key in wanted:
        if key not in found:
            yield Difference('attribute missing', node, where, key, wanted[key], None)
        elif wanted[key] != found[key]:
            yield Difference('attribute value', node, where, key, wanted[key], found[key])
    for key in found:
        if key not in wanted:
            yield Difference('attribute extra', node, where, key, None, found[key])
    both = [key for key, _ in expected if key in found]
    ordered = [key for key, _ in ours if key in wanted]
    if sorted(both) == sorted(ordered) and both != ordered:
        yield Difference('attribute order', node, where, None, both, ordered)


def differing_ports(node, way, expected, ours):
    wanted, found = [port for port, _ in expected], [port for port, _ in ours]
    if wanted != found:
        yield Difference('ports', node, way, None, wanted, found)
    by_id = dict(ours)
    for port, attrs in expected:
        if port in by_id:
            yield from differing_attrs(node, '%s %s' % (way, port), attrs, by_id[port])


def differing_nodes(node, expected, ours):
    for member in ('label', 'namespace', 'subgraphs'):
        if expected[member] != ours[member]:
            yield Difference(member, node, None, None, expected[member], ours[member])
    yield from differing_attrs(node, 'node', expected['attrs'], ours['attrs'])
    for way in ('inputs', 'outputs'):
        yield from differing_ports(node, way, expected[way], ours[way])
    wanted, found = collections.Counter(expected['edges']), collections.Counter(ours['edges'])
    for edge in wanted - found:
        yield Difference('edge missing', node, None, None, edge, None)
    for edge in found - wanted:
        yield Difference('edge extra', node, None, None, None, edge)


def differences(expected, ours):
    if expected['id'] != ours['id']:
        yield Difference('graph id', None, None, None, expected['id'], ours['id'])
    for node in expected['nodes']:
        if node not in ours['nodes']:
            yield Difference('node missing', node, None, None, expected['nodes'][node], None)
    for node in ours['nodes']:
        if node not in expected['nodes']:
            yield Difference('node extra', node, None, None, None, ours['nodes'][node])
    wanted = [node for node in expected['nodes'] if node in ours['nodes']]
    found = [node for node in ours['nodes'] if node in expected['nodes']]
    if wanted != found:
        yield Difference('node order', None, None, None, wanted, found)
    for node in wanted:
        yield from differing_nodes(node, expected['nodes'][node], ours['nodes'][node])


def compare(expected, ours, rules):
    """Returns (explained, unexplained): a list of (Difference, why), and a list of Difference."""
    explained, unexplained = [], []
    for difference in differences(expected, ours):
        why = next((rule.why for rule in rules if rule.test(difference)), None)
        if why is None:
            unexplained.append(difference)
        else:
            explained.append((difference, why))
    return explained, unexplained


def counts(graph):
    nodes = graph['nodes'].values()
    return {
        'nodes': len(graph['nodes']),
        'edges': sum(len(node['edges']) for node in nodes),
        'ports': sum(len(node['inputs']) + len(node['outputs']) for node in nodes),
        'attributes': sum(len(attrs) for node in nodes
                          for attrs in [node['attrs'], *(a for _, a in node['inputs'] + node['outputs'])]),
    }


# -- can it fail? ---------------------------------------------------------------------------------

def spoiled(graph):
    """(what, graph) with one thing wrong each: each must be found."""
    node = max(graph['nodes'], key=lambda n: (len(graph['nodes'][n]['edges']) > 0,
                                              len(graph['nodes'][n]['inputs'])))

    def change(what, function):
        other = copy.deepcopy(graph)
        function(other['nodes'], other['nodes'][node])
        return what, other

    yield change('a node less', lambda nodes, one: nodes.pop(node))
    yield change('a node more', lambda nodes, one: nodes.update(more=copy.deepcopy(one)))
    yield change('another label', lambda nodes, one: one.update(label=one['label'] + '?'))
    yield change('another namespace', lambda nodes, one: one.update(namespace='elsewhere'))
    yield change('another subgraph', lambda nodes, one: one.update(subgraphs=['elsewhere']))
    yield change('an edge less', lambda nodes, one: one['edges'].pop())
    yield change('an edge twice', lambda nodes, one: one['edges'].append(one['edges'][0]))
    yield change('a port less', lambda nodes, one: one['inputs'].pop())
    yield change('a port more', lambda nodes, one: one['outputs'].append(('more', [])))
    yield change('no attributes', lambda nodes, one: one.update(attrs=[], inputs=[
        (port, []) for port, _ in one['inputs']]))
    yield change('another value', lambda nodes, one: one['inputs'].insert(0, (
        one['inputs'][0][0], [(k, v + '?') for k, v in one['inputs'].pop(0)[1]])))
