# SPDX-License-Identifier: Apache-2.0
"""Small traces for the tests of the command line, and one as large as is asked for."""

import json


def events():
    """Every phase, two threads, a partial overlap, flows, a counter, texts that need escapes."""
    cpu = {'pid': 7, 'tid': 11}
    gpu = {'pid': 0, 'tid': 3}
    return [
        {'ph': 'M', 'name': 'process_name', 'pid': 7, 'tid': 0, 'args': {'name': 'python'}},
        {'ph': 'M', 'name': 'process_labels', 'pid': 7, 'tid': 0, 'args': {'labels': 'CPU'}},
        {'ph': 'M', 'name': 'process_sort_index', 'pid': 7, 'tid': 0, 'args': {'sort_index': 1}},
        {'ph': 'M', 'name': 'process_sort_index', 'pid': 0, 'tid': 0, 'args': {'sort_index': 9}},
        {'ph': 'M', 'name': 'thread_name', **cpu, 'args': {'name': 'main "loop"'}},
        {'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::mm', 'ts': 100, 'dur': 50.5, **cpu,
         'args': {'External id': 1, 'Input Dims': [[2, 3], [3, 4]], 'note': 'a "b"\n\\'}},
        {'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'ts': 110.125, 'dur': 5.003,
         **cpu, 'args': {'correlation': 42, 'External id': 1}},
        {'ph': 'X', 'cat': 'cpu_op', 'name': 'überlang, "quoted"', 'ts': 140, 'dur': 30, **cpu},
        {'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'ts': 120, 'dur': 1000.001, **gpu,
         'args': {'correlation': 42, 'stream': 3}},
        {'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': 42, 'ts': 110.125, **cpu},
        {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': 42, 'ts': 120, 'bp': 'e', **gpu},
        {'ph': 'B', 'cat': 'user', 'name': 'step', 'ts': 2000, 'pid': 7, 'tid': 12},
        {'ph': 'E', 'ts': 2100, 'pid': 7, 'tid': 12},
        {'ph': 'i', 'cat': 'mark', 'name': 'here', 's': 'p', 'ts': 2050, **cpu},
        {'ph': 'C', 'name': 'memory', 'ts': 100, 'pid': 7, 'args': {'bytes': 4096}},
        {'ph': 'C', 'name': 'memory', 'ts': 200, 'pid': 7, 'args': {'bytes': 8192.5}},
        {'ph': 'b', 'cat': 'io', 'name': 'read', 'id': '0x10', 'ts': 300, 'pid': 7, 'tid': 11},
        {'ph': 'e', 'cat': 'io', 'name': 'read', 'id': '0x10', 'ts': 400, 'pid': 7, 'tid': 11},
    ]


def document(**more):
    return {'schemaVersion': 1, 'displayTimeUnit': 'ms', 'baseTimeNanoseconds': 1700000000000000000,
            'distributedInfo': {'rank': 0, 'world_size': 2},
            'metadata': {'environment': {'ACCESS': 'not-for-anybody'}},
            'traceEvents': events(), **more}


def write(path, value=None):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(document() if value is None else value, file)
    return path


def write_large(path, n):
    """@n slices, each with arguments, in eight threads; about 150 bytes a slice."""
    with open(path, 'w', encoding='ascii') as file:
        file.write('{"traceEvents": [')
        for i in range(n):
            file.write('%s{"ph":"X","cat":"cpu_op","name":"op %d","pid":1,"tid":%d,"ts":%d.%03d,'
                       '"dur":7.5,"args":{"External id":%d,"Ev Idx":%d}}\n'
                       % (',' if i else '', i % 100, i % 8, i * 2, i % 1000, i, i))
        file.write(']}')
    return path
