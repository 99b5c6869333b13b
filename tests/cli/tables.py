#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of rows that a capture brings along: told, queried, written in each format, read again.
Prints TAP.

    tables.py STRIA_CLI
"""

import csv
import io
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fixtures'))
sys.dont_write_bytecode = True

import make_neuron_json  # noqa: E402
from stria_cli import Cli  # noqa: E402
from tap import Tap  # noqa: E402

DOCUMENTS = dict(make_neuron_json.documents())
INSTRUCTIONS = [
    {'start_ts': row['timestamp'], 'duration_ns': row['duration'], 'timeline_track': row['label'],
     'opcode': row['opcode'], 'operands': row['operands'], 'hlo_name': row['hlo_name']}
    for row in DOCUMENTS['older-device']['instruction']]


def write(folder, name, document):
    path = os.path.join(folder, name)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(document, file)
    return path


def test_info(tap, cli, folder):
    capture = write(folder, 'device.json', DOCUMENTS['older-device'])
    tables = {table['name']: table for table in cli.json('info', capture)['tables']}
    tap.equal(sorted(tables), ['Instruction', 'Summary'], 'info: names of the tables')
    tap.equal(tables['Instruction']['rows'], len(INSTRUCTIONS), 'info: rows')
    tap.equal([c for c in tables['Summary']['columns'] if c['name'] == 'total_time'][0]['unit'], 's',
              'info: unit of a column')
    text = cli.run('info', capture, check=(0, 1)).stdout.decode()
    tap.ok('Tables' in text and 'Instruction' in text, 'info: as text', text)
    tap.equal(cli.query(capture, 'SELECT opcode, count (*), sum (duration_ns) FROM Instruction '
                                 'GROUP BY opcode ORDER BY opcode'),
              [('ADD', 4, 166), ('MATMUL', 4, 166)], 'query: by the published name')


def test_formats(tap, cli, folder):
    capture = write(folder, 'formats.json', DOCUMENTS['older-device'])
    out = cli.run('export', capture, '--table', 'instruction', '--format', 'json', check=(0, 1))
    rows = json.loads(out.stdout)
    tap.equal(rows['table'], 'Instruction', 'json: name')
    tap.equal(rows['rows'], INSTRUCTIONS, 'json: rows')
    tap.equal(rows['columns'][0],
              {'name': 'start_ts', 'type': 'int', 'unit': 'ns', 'note': 'begin'}, 'json: columns')
    out = cli.run('export', capture, '--table', 'Instruction', '--format', 'csv', check=(0, 1))
    table = list(csv.DictReader(io.StringIO(out.stdout.decode(), newline='')))
    tap.equal([{key: value for key, value in row.items() if value != ''} for row in table],
              [{key: str(value) for key, value in row.items()} for row in INSTRUCTIONS],
              'csv: rows')
    again = os.path.join(folder, 'Instruction.parquet')
    told = cli.json('export', capture, '--table', 'Instruction', '--format', 'parquet', '-o', again)
    tap.equal((told['rows'], told['table']), (len(INSTRUCTIONS), 'Instruction'), 'parquet: told')
    columns = ', '.join(INSTRUCTIONS[0])
    tap.equal(cli.query(again, 'SELECT %s FROM Instruction ORDER BY rowid' % columns),
              [tuple(row.values()) for row in INSTRUCTIONS], 'parquet: the same rows when read again')
    lanes = {lane['name']: lane for lane in cli.json('info', again)['lanes']}
    tap.equal(sorted(lanes), ['TensorMatrix', 'Vector'], 'parquet: the same lanes')


def test_several(tap, cli, folder):
    place = os.path.join(folder, 'several')
    os.mkdir(place)
    write(place, 'a.json', {'mem_usage': [{'timestamp': 1, 'usage': 5, 'percent_usage': 1}]})
    write(place, 'b.json', {'mem_usage': [{'timestamp': 2, 'percent_usage': 2, 'news': 'x'}]})
    out = cli.run('export', place, '--table', 'HostMemUsage', '--format', 'json', check=(0, 1))
    rows = json.loads(out.stdout)['rows']
    tap.equal([(os.path.basename(row['artifact']), row['timestamp'], row.get('used_bytes'),
                row.get('news')) for row in rows],
              [('a.json', 1, 5, None), ('b.json', 2, None, 'x')], 'several tables of one name')
    path = os.path.join(folder, 'HostMemUsage.parquet')
    cli.run('export', place, '--table', 'HostMemUsage', '--format', 'parquet', '-o', path,
            check=(0, 1))
    tap.equal(cli.query(path, 'SELECT timestamp, used_bytes, news FROM HostMemUsage'),
              [(1, 5, None), (2, None, 'x')], 'several: in one Parquet file')


def test_refusals(tap, cli, folder):
    capture = write(folder, 'refused.json', DOCUMENTS['older-device'])
    for arguments, why in (
            (('--table', 'Nothing', '--format', 'csv'), 'Instruction'),
            (('--table', 'Instruction', '--format', 'perfetto'), 'parquet'),
            (('--table', 'Instruction'), 'parquet'),
            (('--format', 'parquet'), '--table')):
        done = cli.run('export', capture, *arguments, check=(2,))
        tap.ok(why in done.stderr.decode(), 'refused: ' + ' '.join(arguments), done.stderr.decode())


def test_perfetto(tap, cli, folder):
    path = os.path.join(folder, 'ntff.pftrace')
    with open(path, 'wb') as file:
        file.write(b'\x0a\x02\x08\x01')
    done = cli.run('info', path, check=(1, 3, 5))
    tap.ok('Perfetto' in (done.stdout + done.stderr).decode(), 'a Perfetto trace is said to be one',
           done.stdout.decode(), done.stderr.decode())


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        cli = Cli(sys.argv[1], os.path.join(folder, 'cache'))
        for test in (test_info, test_formats, test_several, test_refusals, test_perfetto):
            try:
                test(tap, cli, folder)
            except (AssertionError, KeyError) as error:
                tap.ok(False, test.__name__, repr(error))
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
