# SPDX-License-Identifier: Apache-2.0
"""A second reader of Chrome traces, written for tests: Python's json module, decimals for times,
integers from there on. It reads sound files only and keeps everything in memory."""

import collections
import decimal
import gzip
import json

INSTANTS = ('i', 'I', 'R')
FLOW_ENDS = ('t', 'f')


def nanoseconds(value):
    """Microseconds as the file writes them, to whole nanoseconds, half up."""
    if value is None:
        return None
    return int((decimal.Decimal(value) * 1000).to_integral_value(decimal.ROUND_HALF_UP))


def id_text(value):
    """A process or thread id as text; a string that looks like a number stays told apart from it."""
    if isinstance(value, str):
        try:
            decimal.Decimal(value)
        except decimal.InvalidOperation:
            return value
        return json.dumps(value)
    if isinstance(value, decimal.Decimal) and value == value.to_integral_value():
        return str(int(value))
    return str(value)


class Trace:
    """@slices: (name, ts, dur, pid, tid, category, args) of every X event, in file order."""

    def __init__(self, path):
        opener = gzip.open if path.endswith('.gz') else open
        with opener(path, 'rb') as file:
            document = json.loads(file.read().decode('utf-8'), parse_float=decimal.Decimal)
        events = document if isinstance(document, list) else document['traceEvents']
        self.base_ns = None if isinstance(document, list) else document.get('baseTimeNanoseconds')
        self.phases = collections.Counter()
        self.categories = collections.Counter()
        self.durations = collections.Counter()
        self.samples = 0
        self.instants = 0
        self.slices = []
        self.flow_starts = collections.Counter()
        self.flow_ends = collections.Counter()
        for event in events:
            self.take(event)

    def take(self, event):
        phase = event['ph'][0]
        category = event.get('cat', '')
        self.phases[phase] += 1
        self.categories[category] += 1
        if phase == 'X':
            duration = max(0, nanoseconds(event.get('dur', 0)))
            self.durations[category] += duration
            self.slices.append((event.get('name', '[No name]'), nanoseconds(event['ts']), duration,
                                id_text(event['pid']), id_text(event.get('tid', event['pid'])),
                                category, event.get('args') or {}))
        elif phase in INSTANTS:
            self.instants += 1
        elif phase == 'C':
            self.samples += sum(isinstance(v, (int, decimal.Decimal)) and not isinstance(v, bool)
                                for v in event.get('args', {}).values())
        elif phase == 's':
            self.flow_starts[(category, event['name'], event['id'])] += 1
        elif phase in FLOW_ENDS:
            self.flow_ends[(category, event['name'], event['id'])] += 1

    def arrows(self):
        """Ends that have a start of the same identity."""
        return sum(n for key, n in self.flow_ends.items() if key in self.flow_starts)
