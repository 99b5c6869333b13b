# SPDX-License-Identifier: Apache-2.0
"""A second reader of allocator snapshots, written for tests: CPython's pickle with every global
refused, and the state at each step by going through the events from the first to the last. It reads
sound files only, and keeps everything in memory.

An element is the life of a block. There before the first event are blocks that the snapshot holds as
active_allocated at an address where no allocation is live at the end ("ghosts"), and blocks that an
event frees and none allocates ("unmatched"). A block that waits for its free and whose allocation is
not recorded is no element."""

import bisect
import collections
import gzip
import io
import itertools
import json
import math
import pickle

U64 = 1 << 64
NO_STEP = float('inf')
GROWS = ('segment_alloc', 'segment_map')
SHRINKS = ('segment_free', 'segment_unmap')
BLOCK_ACTIONS = ('alloc', 'free_requested', 'free_completed', *GROWS, *SHRINKS)
PENDING = ('active_pending_free', 'active_awaiting_free')
KNOWN = ('alloc', 'free_requested', 'free_completed', *GROWS, *SHRINKS, 'snapshot', 'oom', 'annotate',
         'user_defined')


class DataOnly(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError('%s.%s is code' % (module, name))


def load(path):
    with open(path, 'rb') as file:
        data = file.read()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    if data[:1] == b'\x80':
        return DataOnly(io.BytesIO(data)).load()
    return json.loads(data)


def u64(value):
    return 0 if value is None else int(value) % U64


def frame_of(frame):
    """(name, filename, line or None, whatever else is said)"""
    line = frame.get('line')
    line = None if line is None or u64(line) == U64 - 1 else u64(line)
    rest = {key: value for key, value in frame.items() if key not in ('name', 'filename', 'line')}
    return (frame.get('name'), frame.get('filename'), line, json.dumps(rest, sort_keys=True))


def shown(text):
    """Lone surrogates, which pickle writes, are no text: each of their bytes is replaced."""
    if not isinstance(text, str):
        return text
    return ''.join('\ufffd' * 3 if '\ud800' <= c <= '\udfff' else c for c in text)


def frame_text(frame):
    name, filename, line, _ = (shown(part) for part in frame)
    if filename in (None, '', '??'):
        return name or ''
    if line is None:
        return '%s:%s' % (filename, name)
    return '%s:%d:%s' % (filename, line, name)


def stack_of(frames):
    return tuple(frame_of(frame) for frame in frames or ())


class Element:
    __slots__ = ('address', 'size', 'birth', 'request', 'death', 'stack', 'kind', 'rounded', 'stream',
                 'pool', 'category')

    def __init__(self, address, size, birth, stack, kind, stream=0, pool=None, category=None):
        self.address, self.size, self.birth, self.stack, self.kind = address, size, birth, stack, kind
        self.request = self.death = NO_STEP
        self.rounded = None
        self.stream, self.pool, self.category = stream, pool, category

    def is_live(self, step):
        return self.birth < step <= self.death


def pool_of(value):
    return None if value is None else tuple(value)


class Device:
    def __init__(self, number, is_host, events, segments):
        self.number, self.is_host, self.events, self.segments = number, is_host, events, segments
        self.actions = collections.Counter(
            e['action'] if e.get('action') in KNOWN else 'other' for e in events)
        self.blocks = [b for s in segments for b in blocks_of(s)]
        self.find_pools()
        self.find_elements()
        self.find_totals()
        self.find_reserved()

    def find_pools(self):
        """The pool of each event: said, or that of the segment that is at its address at the end."""
        self.pools = [pool_of(e.get('pool_id')) for e in self.events]
        ends = {pool_of(s.get('segment_pool_id')) for s in self.segments}
        ends.discard(None)
        if any(p is not None for p in self.pools) or not ends:
            return
        if len(ends) == 1:
            self.pools = [next(iter(ends))] * len(self.events)
            return
        spans = sorted((u64(s['address']), u64(s['total_size']), pool_of(s.get('segment_pool_id')))
                       for s in self.segments)
        starts = [s[0] for s in spans]
        for i, event in enumerate(self.events):
            k = bisect.bisect_right(starts, u64(event.get('addr'))) - 1
            if k >= 0 and u64(event.get('addr')) - spans[k][0] < spans[k][1]:
                self.pools[i] = spans[k][2]

    def find_elements(self):
        self.elements = []
        live, requested = {}, {}
        for i, event in enumerate(self.events):
            action, address = event.get('action'), u64(event.get('addr'))
            if action == 'alloc':
                if address in live:
                    live[address].death = i
                element = Element(address, u64(event.get('size')), i, stack_of(event.get('frames')),
                                  'born', u64(event.get('stream')), self.pools[i],
                                  event.get('category'))
                live[address] = element
                requested.pop(address, None)
                self.elements.append(element)
            elif action == 'free_requested':
                if address in live:
                    live[address].request = min(live[address].request, i)
                else:
                    requested.setdefault(address, i)
            elif action == 'free_completed':
                element = live.pop(address, None)
                if element is None:
                    element = Element(address, u64(event.get('size')), -1,
                                      stack_of(event.get('frames')), 'unmatched',
                                      u64(event.get('stream')), self.pools[i], event.get('category'))
                    element.request = requested.get(address, NO_STEP)
                    self.elements.append(element)
                element.death = i
                requested.pop(address, None)
        for segment in self.segments:
            for block in blocks_of(segment):
                held = block['state'] == 'active_allocated'
                element = live.get(block['address'])
                if element is not None and (held or block['state'] in PENDING):
                    element.rounded = block['size']
                elif element is None and held:
                    element = Element(block['address'], block['requested'], -1, block['stack'],
                                      'ghost', u64(segment.get('stream')),
                                      pool_of(segment.get('segment_pool_id')))
                    element.rounded = block['size']
                    live[block['address']] = element
                    self.elements.append(element)

    def find_totals(self):
        """Bytes, blocks and bytes that wait for their free at each step 0 .. len(events)."""
        n = len(self.events)
        bytes_, blocks, pending = [0] * (n + 2), [0] * (n + 2), [0] * (n + 2)
        for e in self.elements:
            first = e.birth + 1
            after = n + 1 if e.death == NO_STEP else e.death + 1
            bytes_[first] += e.size
            bytes_[after] -= e.size
            blocks[first] += 1
            blocks[after] -= 1
            if e.request != NO_STEP:
                pending[e.request + 1] += e.size
                pending[after] -= e.size
        self.allocated = running(bytes_)[:n + 1]
        self.live_blocks = running(blocks)[:n + 1]
        self.pending = running(pending)[:n + 1]

    def find_reserved(self):
        reserved = sum(u64(s['total_size']) for s in self.segments)
        self.reserved = [reserved]
        for event in reversed(self.events):
            if event.get('action') in GROWS:
                reserved -= u64(event.get('size'))
            elif event.get('action') in SHRINKS:
                reserved += u64(event.get('size'))
            self.reserved.append(reserved)
        self.reserved.reverse()

    def find_occupied(self):
        """What live blocks take in segments, as far as the file says it: rounded up to what all
        addresses and sizes are multiples of, where the block is not there at the end."""
        numbers = [u64(s[k]) for s in self.segments for k in ('address', 'total_size')]
        numbers += [b[k] for b in self.blocks for k in ('address', 'size')]
        numbers += [u64(e.get('addr')) for e in self.events if e.get('action') in BLOCK_ACTIONS]
        granule = math.gcd(512, *numbers)
        n = len(self.events)
        losses = [0] * (n + 2)
        for e in self.elements:
            loss = -e.size % granule if not e.rounded else max(e.rounded - e.size, 0)
            losses[e.birth + 1] += loss
            losses[n + 1 if e.death == NO_STEP else e.death + 1] -= loss
        return [a + b for a, b in zip(self.allocated, running(losses))]

    def use_by(self, of_element, of_event, of_segment, wants=lambda key: True):
        """Live and reserved bytes by some key at each step: two lists a key."""
        n = len(self.events)
        keys = {of_element(e) for e in self.elements} | {of_segment(s) for s in self.segments}
        keys |= {of_event(i) for i, e in enumerate(self.events) if e.get('action') in GROWS + SHRINKS}
        use = {key: ([0] * (n + 2), [0] * (n + 1)) for key in keys if wants(key)}
        for e in self.elements:
            if wants(of_element(e)):
                live = use[of_element(e)][0]
                live[e.birth + 1] += e.size
                live[n + 1 if e.death == NO_STEP else e.death + 1] -= e.size
        net = collections.Counter()
        for s in self.segments:
            net[of_segment(s)] += u64(s['total_size'])
        for i, event in enumerate(self.events):
            sign = (event.get('action') in GROWS) - (event.get('action') in SHRINKS)
            if sign and wants(of_event(i)):
                net[of_event(i)] -= sign * u64(event['size'])
                use[of_event(i)][1][i + 1] = sign * u64(event['size'])
        for key, (live, changes) in use.items():
            reserved = [max(net[key], 0)]
            for change in changes[1:]:
                reserved.append(max(reserved[-1] + change, 0))
            use[key] = (running(live)[:n + 1], reserved)
        return use

    def pool_use(self):
        return self.use_by(lambda e: e.pool, lambda i: self.pools[i],
                           lambda s: pool_of(s.get('segment_pool_id')))

    def private_pools(self):
        """Of each private pool and stream: live and reserved bytes at each step, and the most of both
        so far."""
        use = self.use_by(lambda e: (e.pool, e.stream),
                          lambda i: (self.pools[i], u64(self.events[i].get('stream'))),
                          lambda s: (pool_of(s.get('segment_pool_id')), u64(s.get('stream'))),
                          lambda key: key[0] not in (None, (0, 0)))
        return {key: (live, reserved, list(itertools.accumulate(map(max, live, reserved), max)))
                for key, (live, reserved) in use.items()}

    def peak(self):
        return max(range(len(self.allocated)), key=lambda step: (self.allocated[step], -step))

    def by(self, key, step):
        """Bytes and blocks that are live at a step, by what @key says of an element."""
        sums = collections.defaultdict(lambda: [0, 0])
        for e in self.elements:
            if e.is_live(step):
                sums[key(e)][0] += e.size
                sums[key(e)][1] += 1
        return {k: tuple(v) for k, v in sums.items()}

    def final_segments(self):
        """Segments at the end by address: size, and bytes by state."""
        known = {e.address for e in self.elements if e.death == NO_STEP}
        rows = []
        for s in self.segments:
            allocated = pending = rounding = 0
            for b in blocks_of(s):
                if b['state'] == 'active_allocated':
                    allocated += b['requested']
                    rounding += b['size'] - b['requested']
                elif b['state'] in PENDING:
                    inner = b['requested'] if b['address'] in known else b['size']
                    pending += inner
                    rounding += b['size'] - inner
            rows.append((u64(s['address']), u64(s['total_size']), u64(s.get('stream')),
                         pool_of(s.get('segment_pool_id')), bool(s.get('is_expandable')), allocated,
                         pending, rounding, u64(s['total_size']) - allocated - pending - rounding))
        return sorted(rows)


def running(changes):
    total, out = 0, []
    for change in changes:
        total += change
        out.append(total)
    return out


def blocks_of(segment):
    """Blocks with address, size, requested bytes, state and stack, as each age of files says them."""
    out = []
    at = u64(segment.get('address'))
    for block in segment.get('blocks', ()):
        history = block.get('history')
        newest = history[0] if history else {}
        size = u64(block['size'])
        address = u64(block['address']) if block.get('address') is not None else at
        requested = block.get('requested_size', newest.get('real_size', size))
        frames = block.get('frames') or newest.get('frames')
        out.append({'address': address, 'size': size, 'requested': u64(requested),
                    'state': block['state'], 'stack': stack_of(frames)})
        at = address + size
    return out


class Snapshot:
    def __init__(self, path):
        root = load(path)
        if isinstance(root, list):
            root = {'segments': root}
        self.root = root
        self.devices = []
        numbers = collections.defaultdict(lambda: ([], []))
        for is_host, segments, traces in ((False, 'segments', 'device_traces'),
                                          (True, 'host_segments', 'host_traces')):
            for number, trace in enumerate(root.get(traces) or ()):
                if trace:
                    numbers[number, is_host][0].extend(trace)
            for segment in root.get(segments) or ():
                numbers[u64(segment.get('device')), is_host][1].append(segment)
        for (number, is_host), (events, found) in numbers.items():
            self.devices.append(Device(number, is_host, events, found))
        self.find_stacks()

    def find_stacks(self):
        self.frames, self.stacks = set(), set()
        for device in self.devices:
            lists = [(s.get('frames'), True) for s in device.segments]
            lists += [(e.get('frames'), e.get('action') != 'user_defined') for e in device.events]
            for block in (b for s in device.segments for b in s.get('blocks', ())):
                lists.append((block.get('frames'), True))
                lists += [(h.get('frames'), True) for h in block.get('history') or ()]
            for frames, is_stack in lists:
                if frames:
                    stack = stack_of(frames)
                    self.frames.update(stack)
                    if is_stack:
                        self.stacks.add(stack)


# -- what stria-cli says of the same file ---------------------------------------------------------

def compare(tap, cli, path, title, steps_of, check=(0,)):
    """One test point for each fact. @steps_of: which steps of a device to compare totals at, by its
    number of events."""
    snapshot = Snapshot(path)
    wanted = {(d.number, d.is_host): d for d in snapshot.devices}
    most = max([len(d.events) for d in snapshot.devices] or [0])
    steps = steps_of(most)
    common = ['memory', path, '--map', '--top', '0', '--steps', ','.join(map(str, steps))]
    found = {}
    for at, by in (('end', 'stack'), ('peak', 'stack'), ('end', 'size'), ('peak', 'pool'),
                   ('peak', 'stream'), ('peak', 'category')):
        answer = cli.json(*common, '--at', at, '--by', by, check=check)
        for row in answer['snapshots']:
            for device in row['devices']:
                found.setdefault((device['device'], device['host']), {})[at, by] = device
    tap.equal(sorted(found), sorted(wanted), '%s: devices' % title)
    tap.equal((answer['snapshots'][0]['frames'], answer['snapshots'][0]['stacks']),
              (len(snapshot.frames), len(snapshot.stacks)), '%s: unique frames, stacks' % title)
    for key in sorted(wanted):
        if key in found:
            name = '%s, %s %d' % (title, 'host' if key[1] else 'device', key[0])
            compare_device(tap, name, wanted[key], found[key], steps)
    return answer


def compare_device(tap, name, device, found, steps):
    end = found['end', 'stack']
    n = len(device.events)
    tap.equal((end['events'], end['actions']), (n, dict(device.actions)), '%s: events by action' % name)
    kinds = collections.Counter(e.kind for e in device.elements)
    tap.equal((end['elements'], end['ghosts'], end['unmatched_frees']),
              (len(device.elements), kinds['ghost'], kinds['unmatched']), '%s: lives of blocks' % name)
    occupied = device.find_occupied()
    totals = [(s['step'], s['allocated'], s['occupied'], s['pending'], s['reserved'], s['blocks'])
              for s in end['steps']]
    wanted = [(min(s, n), device.allocated[min(s, n)], occupied[min(s, n)],
               device.pending[min(s, n)], device.reserved[min(s, n)],
               device.live_blocks[min(s, n)]) for s in steps]
    wrong = [(a, b) for a, b in zip(totals, wanted) if a != b]
    tap.ok(not wrong and len(totals) == len(wanted), '%s: totals at %d steps' % (name, len(steps)),
           'found, expected: %s' % wrong[:5])
    held = [s.get('allocated_size') for s in device.segments]
    if None not in held and all(e.rounded for e in device.elements if e.is_live(n)) \
            and not any(b['state'] in PENDING for b in device.blocks):
        tap.equal(end['moment']['occupied'], sum(held), '%s: what blocks take at the end' % name)
    peak = device.peak()
    tap.equal((end['peak']['step'], end['peak']['allocated'], end['peak']['reserved'],
               end['peak']['blocks']),
              (peak, device.allocated[peak], device.reserved[peak], device.live_blocks[peak]),
              '%s: peak' % name)
    for at, step in (('end', n), ('peak', peak)):
        rows = collections.defaultdict(lambda: [0, 0])
        for row in found[at, 'stack']['rows']:
            if row['live_blocks']:
                rows[tuple(row['frames'])][0] += row['live_bytes']
                rows[tuple(row['frames'])][1] += row['live_blocks']
        expected = collections.defaultdict(lambda: [0, 0])
        for stack, (size, count) in device.by(lambda e: e.stack, step).items():
            expected[tuple(map(frame_text, stack))][0] += size
            expected[tuple(map(frame_text, stack))][1] += count
        tap.equal(dict(rows), dict(expected), '%s: live bytes by stack at the %s' % (name, at))
    compare_groups(tap, name, device, found, n, peak)
    compare_pools(tap, name, device, found['peak', 'pool'], peak)
    compare_map(tap, name, device, end)


def compare_groups(tap, name, device, found, n, peak):
    for (at, by), key in ((('end', 'size'), size_class),
                          (('peak', 'pool'), lambda e: e.pool and '%d,%d' % e.pool),
                          (('peak', 'stream'), lambda e: e.stream),
                          (('peak', 'category'), lambda e: e.category or '(none)')):
        member = {'size': 'size_up_to', 'pool': 'pool', 'stream': 'stream', 'category': 'label'}[by]
        rows = {r[member]: (r['live_bytes'], r['live_blocks'])
                for r in found[at, by]['rows'] if r['live_blocks']}
        tap.equal(rows, device.by(key, n if at == 'end' else peak),
                  '%s: live bytes by %s at the %s' % (name, by, at))


def compare_pools(tap, name, device, found, step):
    rows = {r['pool']: (r['reserved_bytes'], r['peak_bytes'], r['peak_step'], r['peak_reserved_bytes'])
            for r in found['rows']}
    wanted = {pool and '%d,%d' % pool: (reserved[step], max(live), live.index(max(live)),
                                        max(reserved))
              for pool, (live, reserved) in device.pool_use().items()}
    tap.equal(rows, {k: v for k, v in wanted.items() if v[1] or v[3] or k in rows},
              '%s: reserved bytes and peaks by pool' % name)
    rows = {(r['pool'], r['stream']): (r['allocated'], r['reserved'], r['most'])
            for r in found['private_pools']}
    wanted = {('%d,%d' % pool, stream): tuple(values[step] for values in lists)
              for (pool, stream), lists in device.private_pools().items()}
    tap.equal(rows, wanted, '%s: private pools' % name)


def size_class(element):
    bound = 1
    while bound < element.size and bound < 1 << 63:
        bound *= 2
    return bound


def compare_map(tap, name, device, end):
    segments = [(s['address'], s['size'], s['stream'], tuple(map(int, s['pool'].split(',')))
                 if s['pool'] else None, s['expandable'], s['allocated'], s['pending'], s['rounding'],
                 s['free']) for s in end['segments']]
    wanted = device.final_segments()
    tap.equal(segments, wanted, '%s: segments with their bytes by state' % name)
    sums = [sum(row[i] for row in wanted) for i in (1, 5, 6, 7, 8)]
    map_ = end['map']
    tap.equal([map_[k] for k in ('reserved', 'allocated', 'pending', 'rounding', 'free')], sums,
              '%s: bytes by state' % name)
