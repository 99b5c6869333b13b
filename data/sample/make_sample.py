#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes training-step.json.gz: three steps of an invented data-parallel training run, laid out as
torch.profiler lays out its traces (with_stack, record_shapes, profile_memory).

Nothing in it was measured. A small simulator runs a host program (Python frames, operators, launches)
against two streams of one device, so that the picture has what real ones have: launches that run
ahead of the device, a queue that drains, collectives that overlap the backward pass, a step that
waits for its data. All times are integers in nanoseconds; the seed is fixed, so the text is the same
on every run.

    make_sample.py [OUTPUT]      default: training-step.json.gz beside this script
"""

import contextlib
import gzip
import io
import json
import os
import random
import sys

US = 1000
MS = 1000 * US

PID = 41870
MAIN = 41870
AUTOGRAD = 42016
PIN = 41988
COMPUTE = 7
COMM = 20
SPANS_PID = 'Spans'
BASE_NS = 1_767_225_600_000_000_000
START = 2_417_853_220 * US

LAYERS = 8
BATCH, TOKENS, WIDTH, HEADS, VOCAB = 8, 1024, 1024, 16, 32000
BF16 = 2
RANKS = 4
# How much slower the host runs than the bare costs below, as it does under a profiler
HOST_PACE = 8.0


class Run:
    """The host threads, the device's streams and the allocator, and the events they leave."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.cpu, self.python, self.device, self.memory = [], [], [], []
        self.counters = []
        self.now = {MAIN: START, AUTOGRAD: START, PIN: START}
        self.free_at = {COMPUTE: START, COMM: START}
        self.external = 0
        self.correlation = 2100
        self.python_id = 0
        self.sequence = 0
        self.stack = {MAIN: [], AUTOGRAD: [], PIN: []}
        self.py_stack = []
        self.step_spans = {COMPUTE: {}, COMM: {}}
        self.step = None
        self.fwdbwd = []
        self.allocated = 612 * 2 ** 20
        self.reserved = 2048 * 2 ** 20
        self.address = 0x7f2a40000000
        self.ev_idx = 0

    def jitter(self, ns, share=0.18):
        """@ns give or take @share, with a thin tail of slow cases as every host shows."""
        value = ns * (1 + share * (2 * self.rng.random() - 1))
        if self.rng.random() < 0.02:
            value *= 1.6 + 1.5 * self.rng.random()
        return max(1, int(value))

    def work(self, thread, us):
        self.now[thread] += self.jitter(int(us * HOST_PACE * US))

    @contextlib.contextmanager
    def op(self, name, thread=MAIN, dims=None, inputs=None, cat='cpu_op', seq=None, fwd=None,
           extra=None, cost=1.4):
        self.external += 1
        args = {'External id': self.external, 'Record function id': 0}
        if dims is not None:
            args['Concrete Inputs'] = [''] * len(dims)
            args['Input type'] = ['c10::BFloat16' if d else 'Scalar' for d in dims]
            args['Input Dims'] = dims
        if inputs is not None:
            args['Concrete Inputs'] = inputs
        if seq is not None:
            args['Sequence number'] = seq
            args['Fwd thread id'] = fwd if fwd is not None else 0
        if extra:
            args.update(extra)
        args['Ev Idx'] = self.ev_idx
        self.ev_idx += 1
        event = {'ph': 'X', 'cat': cat, 'name': name, 'pid': PID, 'tid': thread,
                 'ts': self.now[thread], 'dur': 0, 'args': args}
        self.cpu.append(event)
        self.stack[thread].append(event)
        self.work(thread, cost * 0.6)
        yield event
        self.work(thread, cost * 0.4)
        self.stack[thread].pop()
        event['dur'] = self.now[thread] - event['ts']

    @contextlib.contextmanager
    def frame(self, name, module=None, cost=1.1):
        """A Python frame of the main thread."""
        self.python_id += 1
        args = {'Python parent id': self.py_stack[-1] if self.py_stack else None,
                'Python id': self.python_id}
        if module is not None:
            args['Python module id'] = module
        args['Ev Idx'] = self.ev_idx
        self.ev_idx += 1
        event = {'ph': 'X', 'cat': 'python_function', 'name': name, 'pid': PID, 'tid': MAIN,
                 'ts': self.now[MAIN], 'dur': 0, 'args': args}
        self.python.append(event)
        self.py_stack.append(self.python_id)
        self.work(MAIN, cost * 0.6)
        if module is None:
            yield event
        else:
            with self.frame('torch/nn/modules/module.py(1750): _call_impl', cost=0.8):
                yield event
        self.work(MAIN, cost * 0.4)
        self.py_stack.pop()
        event['dur'] = self.now[MAIN] - event['ts']

    def frames(self, names, leaf):
        """Short-lived frames around @leaf, as Python wrappers are."""
        with contextlib.ExitStack() as stack:
            for name in names:
                stack.enter_context(self.frame(name, cost=0.7))
            leaf()

    def runtime(self, name, thread, us, external, correlated=True):
        self.correlation += 1
        event = {'ph': 'X', 'cat': 'cuda_runtime', 'name': name, 'pid': PID, 'tid': thread,
                 'ts': self.now[thread], 'dur': self.jitter(int(us * 1.5 * US)),
                 'args': {'External id': external, 'cbid': 211,
                          'correlation': self.correlation}}
        self.now[thread] += event['dur']
        self.device.append(event)
        if correlated:
            self.device.append({'ph': 's', 'id': self.correlation, 'pid': PID, 'tid': thread,
                                'ts': event['ts'], 'cat': 'ac2g', 'name': 'ac2g'})
        return event

    def launch(self, kernel, us, thread=MAIN, stream=COMPUTE, after=0, cat='kernel', grid=None,
               block=(256, 1, 1), extra=None, call='cudaLaunchKernel'):
        """One launch on the host and what it starts on a stream. Returns its end on the device."""
        external = self.stack[thread][-1]['args']['External id'] if self.stack[thread] else 0
        call = self.runtime(call, thread, 4.2, external)
        issued = call['ts'] + call['dur'] + self.jitter(2300)
        start = max(issued, self.free_at[stream] + self.jitter(1150, 0.3), after)
        dur = self.jitter(int(us * US), 0.05)
        args = {'External id': external, 'device': 0, 'context': 1, 'stream': stream,
                'correlation': self.correlation}
        if cat == 'kernel':
            args.update({'queued': 0, 'registers per thread': 32 + 8 * self.rng.randrange(17),
                         'shared memory': 1024 * self.rng.choice((0, 0, 16, 48, 96, 160)),
                         'grid': list(grid or (self.rng.randrange(64, 4096), 1, 1)),
                         'block': list(block),
                         'est. achieved occupancy %': self.rng.randrange(18, 97)})
        if extra:
            args.update(extra)
        event = {'ph': 'X', 'cat': cat, 'name': kernel, 'pid': 0, 'tid': stream, 'ts': start,
                 'dur': dur, 'args': args}
        self.device.append(event)
        self.device.append({'ph': 'f', 'id': self.correlation, 'pid': 0, 'tid': stream,
                            'ts': start, 'cat': 'ac2g', 'name': 'ac2g', 'bp': 'e'})
        self.free_at[stream] = start + dur
        if self.step is not None:
            first, _ = self.step_spans[stream].get(self.step, (start, 0))
            self.step_spans[stream][self.step] = (first, start + dur)
        return start + dur

    def wait_for_device(self, thread, until, name='cudaStreamSynchronize'):
        """The host stands still until the device has reached @until."""
        external = self.stack[thread][-1]['args']['External id'] if self.stack[thread] else 0
        self.correlation += 1
        start = self.now[thread]
        end = max(start + self.jitter(3 * US), until + self.jitter(4 * US))
        self.device.append({'ph': 'X', 'cat': 'cuda_runtime', 'name': name, 'pid': PID,
                            'tid': thread, 'ts': start, 'dur': end - start,
                            'args': {'External id': external, 'cbid': 131,
                                     'correlation': self.correlation}})
        self.now[thread] = end

    def memory_event(self, thread, size, address):
        self.allocated += size
        self.reserved = max(self.reserved, (self.allocated // 2 ** 28 + 1) * 2 ** 28)
        self.memory.append({'ph': 'i', 'cat': 'cpu_instant_event', 's': 't', 'name': '[memory]',
                            'pid': PID, 'tid': thread, 'ts': self.now[thread],
                            'args': {'Total Reserved': self.reserved,
                                     'Total Allocated': self.allocated, 'Bytes': size,
                                     'Addr': address, 'Device Id': 0, 'Device Type': 1,
                                     'Ev Idx': self.ev_idx}})
        self.ev_idx += 1

    def alloc(self, thread, size):
        size = (size + 511) // 512 * 512
        self.address += size
        self.memory_event(thread, size, self.address)
        return (self.address, size)

    def free(self, thread, block):
        self.memory_event(thread, -block[1], block[0])


ROWS = BATCH * TOKENS
ACT = [BATCH, TOKENS, WIDTH]
ACT_BYTES = ROWS * WIDTH * BF16


class Model:
    """A decoder-only transformer under DistributedDataParallel, forward and backward."""

    def __init__(self, run):
        self.run = run
        self.saved = []
        self.tape = []

    def note(self, op, name, kernels, saved=None):
        """Remembers how to go back through @op: its kernels, and what it kept."""
        run = self.run
        run.sequence += 1
        op['args']['Sequence number'] = run.sequence
        op['args']['Fwd thread id'] = 0
        self.tape.append((run.sequence, op, name, kernels, saved))

    def linear(self, label, rows, fan_in, fan_out, us):
        run = self.run
        leaf = '<built-in function linear>'

        def body():
            with run.frame(leaf, cost=0.5):
                with run.op('aten::linear', dims=[ACT, [fan_out, fan_in], [fan_out]]) as op:
                    with run.op('aten::t', dims=[[fan_out, fan_in]], cost=1.0):
                        with run.op('aten::transpose', dims=[[fan_out, fan_in], [], []],
                                    inputs=['', '0', '1'], cost=0.8):
                            pass
                    with run.op('aten::addmm', dims=[[fan_out], [rows, fan_in],
                                                     [fan_in, fan_out], [], []], cost=3.0):
                        kept = run.alloc(MAIN, rows * fan_out * BF16)
                        run.launch('gemm_bf16_f32acc_tn_128x256x64_stage4_bias', us,
                                   grid=(rows // 128, max(1, fan_out // 256), 1),
                                   block=(384, 1, 1), call='cudaLaunchKernelExC')
                self.note(op, 'AddmmBackward0',
                          [('aten::mm', 'gemm_bf16_f32acc_nn_128x256x64_stage4', us * 0.98),
                           ('aten::mm', 'gemm_bf16_f32acc_nt_256x128x64_stage4', us * 1.04),
                           ('aten::sum', 'reduce_kernel<512, 1, ReduceOp<BFloat16, sum_functor>>',
                            us * 0.12)], kept)

        with run.frame('nn.Module: Linear_%s' % label, module=hash_id(label)):
            run.frames(['torch/nn/modules/linear.py(124): forward'], body)

    def norm(self, label):
        run = self.run

        def body():
            with run.op('aten::layer_norm', dims=[ACT, [], [WIDTH], [WIDTH], [], []]) as op:
                with run.op('aten::native_layer_norm', dims=[ACT, [], [WIDTH], [WIDTH], []],
                            cost=2.6):
                    kept = run.alloc(MAIN, ACT_BYTES)
                    run.launch('layer_norm_forward_kernel<BFloat16, float, 8>', 14.5,
                               grid=(ROWS, 1, 1), block=(128, 1, 1))
            self.note(op, 'NativeLayerNormBackward0',
                      [('aten::native_layer_norm_backward',
                        'layer_norm_backward_input_kernel<BFloat16, float, 8>', 22.0),
                       (None, 'layer_norm_backward_gamma_beta_kernel<BFloat16, float>', 17.5)],
                      kept)

        with run.frame('nn.Module: LayerNorm_%s' % label, module=hash_id('ln' + label)):
            run.frames(['torch/nn/functional.py(2910): layer_norm'], body)

    def pointwise(self, name, kernel, us, back, back_us, frame=None):
        run = self.run
        context = run.frame(frame, cost=0.5) if frame else contextlib.nullcontext()
        with context:
            with run.op(name, dims=[ACT, ACT], cost=2.2) as op:
                kept = run.alloc(MAIN, ACT_BYTES)
                run.launch(kernel, us, grid=(ROWS * WIDTH // 2048, 1, 1), block=(128, 1, 1))
            self.note(op, back[0], [(back[1], back[2], back_us)] if back[1] else [], kept)

    def block(self, i):
        run = self.run
        with run.frame('nn.Module: Block_%d' % i, module=300 + i):
            with run.frame('model.py(96): forward'):
                self.norm('%d' % (2 * i))
                with run.frame('nn.Module: CausalSelfAttention_%d' % i, module=400 + i):
                    with run.frame('model.py(41): forward'):
                        self.linear('%d' % (4 * i), ROWS, WIDTH, 3 * WIDTH, 148)
                        for _ in range(3):
                            with run.op('aten::view', dims=[ACT, []], cost=0.9):
                                pass
                            with run.op('aten::transpose', dims=[ACT, [], []], cost=0.9):
                                pass
                        with run.frame('<built-in function scaled_dot_product_attention>'):
                            qkv = [BATCH, HEADS, TOKENS, WIDTH // HEADS]
                            with run.op('aten::scaled_dot_product_attention',
                                        dims=[qkv, qkv, qkv, [], [], []]) as op:
                                with run.op('aten::_scaled_dot_product_flash_attention',
                                            dims=[qkv, qkv, qkv, [], []], cost=3.0):
                                    with run.op('aten::_flash_attention_forward',
                                                dims=[qkv, qkv, qkv], cost=3.5):
                                        kept = run.alloc(MAIN, ACT_BYTES)
                                        run.launch('flash_fwd_kernel<Traits<64, 128, 128, 4, '
                                                   'BFloat16>, causal=true>', 96,
                                                   grid=(TOKENS // 128, BATCH, HEADS),
                                                   block=(128, 1, 1))
                            self.note(op, 'ScaledDotProductFlashAttentionBackward0',
                                      [('aten::_flash_attention_backward',
                                        'flash_bwd_dot_do_o_kernel<Traits<64, BFloat16>>', 11),
                                       (None, 'flash_bwd_dq_dk_dv_kernel<Traits<64, 128, 128, 8, '
                                        'BFloat16>, causal=true>', 246),
                                       (None, 'flash_bwd_convert_dq_kernel<Traits<64, BFloat16>>',
                                        9)], kept)
                        self.linear('%d' % (4 * i + 1), ROWS, WIDTH, WIDTH, 52)
                self.pointwise('aten::add', 'vectorized_elementwise_kernel<4, '
                               'CUDAFunctor_add<BFloat16>>', 11.5,
                               ('AddBackward0', None, None), 0)
                self.norm('%d' % (2 * i + 1))
                with run.frame('nn.Module: MLP_%d' % i, module=500 + i):
                    with run.frame('model.py(74): forward'):
                        self.linear('%d' % (4 * i + 2), ROWS, WIDTH, 4 * WIDTH, 196)
                        self.pointwise('aten::gelu', 'vectorized_elementwise_kernel<4, '
                                       'GeluCUDAKernelImpl<BFloat16>>', 31,
                                       ('GeluBackward0', 'aten::gelu_backward',
                                        'vectorized_elementwise_kernel<4, '
                                        'GeluBackwardCUDAKernelImpl<BFloat16>>'), 44,
                                       '<built-in function gelu>')
                        self.linear('%d' % (4 * i + 3), ROWS, 4 * WIDTH, WIDTH, 192)
                self.pointwise('aten::add', 'vectorized_elementwise_kernel<4, '
                               'CUDAFunctor_add<BFloat16>>', 11.5,
                               ('AddBackward0', None, None), 0)

    def forward(self):
        run = self.run
        with run.frame('nn.Module: DistributedDataParallel_0', module=200):
            with run.frame('torch/nn/parallel/distributed.py(1637): forward'):
                with run.op('DistributedDataParallel.forward', cat='user_annotation', cost=4.0):
                    with run.frame('nn.Module: GPT_0', module=201):
                        with run.frame('model.py(131): forward'):
                            with run.frame('nn.Module: Embedding_0', module=202):
                                with run.op('aten::embedding', dims=[[VOCAB, WIDTH],
                                                                     [BATCH, TOKENS]]) as op:
                                    with run.op('aten::index_select', cost=3.0):
                                        kept = run.alloc(MAIN, ACT_BYTES)
                                        run.launch('indexSelectLargeIndex<BFloat16, long, 2, 2, '
                                                   '-2, true>', 24)
                                self.note(op, 'EmbeddingBackward0',
                                          [('aten::embedding_dense_backward',
                                            'embedding_backward_feature_kernel<BFloat16, float>',
                                            88)], kept)
                            for i in range(LAYERS):
                                self.block(i)
                            self.norm('f')
                            self.linear('head', ROWS, WIDTH, VOCAB, 1270)

    def loss(self):
        run = self.run
        with run.frame('torch/nn/functional.py(3462): cross_entropy'):
            with run.frame('<built-in function cross_entropy_loss>'):
                with run.op('aten::cross_entropy_loss', dims=[[ROWS, VOCAB], [ROWS]]) as op:
                    with run.op('aten::log_softmax', dims=[[ROWS, VOCAB], [], []], cost=2.0):
                        kept = run.alloc(MAIN, ROWS * VOCAB * BF16)
                        run.launch('cunn_SoftMaxForward<8, BFloat16, float, BFloat16, '
                                   'LogSoftMaxForwardEpilogue>', 318, grid=(ROWS, 1, 1),
                                   block=(1024, 1, 1))
                    with run.op('aten::nll_loss_nd', dims=[[ROWS, VOCAB], [ROWS]], cost=2.0):
                        run.launch('nll_loss_forward_reduce_cuda_kernel_2d<BFloat16, float>', 38)
                self.note(op, 'NllLossBackward0',
                          [('aten::nll_loss_backward',
                            'nll_loss_backward_reduce_cuda_kernel_2d<BFloat16>', 41),
                           ('aten::_log_softmax_backward_data',
                            'cunn_SoftMaxBackward<8, BFloat16, float, LogSoftMaxBackwardEpilogue>',
                            402)], kept)

    def all_reduce(self, nelems, us, ready, index):
        """A gradient bucket goes round the ring while the backward pass goes on."""
        run = self.run
        ranks = '[%s]' % ', '.join(str(r) for r in range(RANKS))
        about = {'Collective name': 'allreduce', 'dtype': 'BFloat16', 'In msg nelems': nelems,
                 'Out msg nelems': nelems, 'In split size': '[]', 'Out split size': '[]',
                 'Group size': RANKS, 'Process Group Name': '0',
                 'Process Group Description': 'default_pg', 'Process Group Ranks': ranks,
                 'Seq': index}
        with run.op('record_param_comms', AUTOGRAD, extra=about, cost=5.0):
            with run.op('nccl:all_reduce', AUTOGRAD, cat='user_annotation', cost=3.0):
                run.runtime('cudaEventRecordWithFlags', AUTOGRAD, 1.2,
                            run.stack[AUTOGRAD][-1]['args']['External id'], correlated=False)
                run.runtime('cudaStreamWaitEvent', AUTOGRAD, 1.0,
                            run.stack[AUTOGRAD][-1]['args']['External id'], correlated=False)
                return run.launch('ncclDevKernel_AllReduce_Sum_bf16_RING_LL('
                                  'ncclDevKernelArgsStorage<4096ul>)', us, AUTOGRAD, COMM,
                                  after=ready + run.jitter(2200), grid=(24, 1, 1),
                                  block=(512, 1, 1), extra=about, call='cudaLaunchKernelExC')

    def backward(self):
        run = self.run
        reduced = 0
        with run.frame('torch/_tensor.py(581): backward'):
            with run.frame('torch/autograd/__init__.py(347): backward'):
                with run.frame('torch/autograd/graph.py(825): _engine_run_backward'):
                    with run.frame('<built-in method run_backward of torch._C._EngineBase object '
                                   'at 0x7f2b6c1e0a30>'):
                        run.now[AUTOGRAD] = run.now[MAIN] + run.jitter(18 * US)
                        done = 0
                        parameters = 0
                        for seq, op, name, kernels, kept in reversed(self.tape):
                            done = self.backward_node(seq, op, name, kernels, kept) or done
                            parameters += 1
                            if parameters % 22 == 0:
                                reduced = self.all_reduce(13 * 2 ** 20, 1180, done,
                                                          parameters // 22)
                        reduced = self.all_reduce(33 * 2 ** 20, 2350, done, 99)
                        run.now[MAIN] = run.now[AUTOGRAD] + run.jitter(22 * US)
        self.tape.clear()
        return reduced

    def backward_node(self, seq, forward, name, kernels, kept):
        run = self.run
        end = 0
        with run.op('autograd::engine::evaluate_function: %s' % name, AUTOGRAD, seq=seq, fwd=1,
                    cost=1.8):
            with run.op(name, AUTOGRAD, seq=seq, fwd=1, cost=1.6) as node:
                run.fwdbwd.append((seq, forward, node))
                for aten, kernel, us in kernels:
                    if aten is None:
                        end = run.launch(kernel, us, AUTOGRAD)
                        continue
                    with run.op(aten, AUTOGRAD, dims=[ACT, ACT], cost=2.4):
                        grad = run.alloc(AUTOGRAD, ACT_BYTES)
                        end = run.launch(kernel, us, AUTOGRAD)
                    run.free(AUTOGRAD, grad)
            if kept:
                run.free(AUTOGRAD, kept)
        if 'Addmm' in name or 'Norm' in name or 'Embedding' in name:
            with run.op('autograd::engine::evaluate_function: torch::autograd::AccumulateGrad',
                        AUTOGRAD, cost=1.4):
                with run.op('torch::autograd::AccumulateGrad', AUTOGRAD, cost=1.0):
                    with run.op('aten::add_', AUTOGRAD, dims=[[WIDTH, WIDTH]] * 2, cost=2.0):
                        end = run.launch('vectorized_elementwise_kernel<4, '
                                         'CUDAFunctor_add<BFloat16>>', 5.5, AUTOGRAD)
        return end


def hash_id(label):
    return 1000 + sum(ord(c) * (k + 1) for k, c in enumerate(label)) % 5000


def load_batch(run, stall_us):
    with run.frame('torch/utils/data/dataloader.py(708): __next__'):
        with run.op('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__',
                    cat='user_annotation', cost=6.0):
            with run.frame('torch/utils/data/dataloader.py(1455): _next_data'):
                with run.frame('torch/utils/data/dataloader.py(1410): _get_data'):
                    with run.frame('queue.py(154): get'):
                        with run.frame('threading.py(327): wait'):
                            with run.frame("<method 'acquire' of '_thread.lock' objects>"):
                                run.now[PIN] = run.now[MAIN] + int(stall_us * US * 0.55)
                                with run.op('aten::pin_memory', PIN, dims=[[BATCH, TOKENS]],
                                            cost=3.0):
                                    run.work(PIN, 6)
                                    with run.op('aten::_pin_memory', PIN, cost=2.0):
                                        with run.op('aten::copy_', PIN, cost=9.0):
                                            pass
                                run.now[MAIN] += run.jitter(stall_us * US)
                                run.now[MAIN] = max(run.now[MAIN], run.now[PIN] + 8 * US)
    for name in ('tokens', 'targets'):
        with run.frame("<method 'to' of 'torch._C.TensorBase' objects>"):
            with run.op('aten::to', dims=[[BATCH, TOKENS], [], [], [], []]):
                with run.op('aten::_to_copy', dims=[[BATCH, TOKENS], [], [], []]):
                    with run.op('aten::copy_', dims=[[BATCH, TOKENS]] * 2, cost=3.0):
                        run.launch('Memcpy HtoD (Pinned -> Device)', 5.1, cat='gpu_memcpy',
                                   extra={'bytes': ROWS * 8,
                                          'memory bandwidth (GB/s)': 12.85},
                                   call='cudaMemcpyAsync')


def optimizer_step(run, reduced):
    with run.frame('torch/optim/optimizer.py(484): wrapper'):
        with run.op('Optimizer.step#AdamW.step', cat='user_annotation', cost=8.0):
            with run.frame('torch/optim/adamw.py(209): step'):
                with run.frame('torch/optim/adam.py(949): _fused_adam'):
                    for k in range(6):
                        with run.op('aten::_fused_adamw_', cost=9.0):
                            run.launch('multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata'
                                       '<4>, FusedAdamMathFunctor<float, 4, ADAMW>>',
                                       152 if k < 5 else 61, after=reduced, block=(512, 1, 1))
    with run.frame('torch/optim/optimizer.py(965): zero_grad'):
        with run.op('Optimizer.zero_grad#AdamW.zero_grad', cat='user_annotation', cost=7.0):
            run.work(MAIN, 45)


def clip_gradients(run, reduced):
    with run.frame('torch/nn/utils/clip_grad.py(189): clip_grad_norm_'):
        with run.op('aten::_foreach_norm', cost=6.0):
            for _ in range(3):
                run.launch('multi_tensor_apply_kernel<TensorListMetadata<1>, LpNormFunctor'
                           '<BFloat16, NormType::L2>>', 33, after=reduced)
        with run.op('aten::_foreach_mul_', cost=5.0):
            run.launch('multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalarTensorFunctor'
                       '<BFloat16, multiplies>>', 47, after=reduced)


def read_loss(run):
    with run.frame("<method 'item' of 'torch._C.TensorBase' objects>"):
        with run.op('aten::item', dims=[[]]):
            with run.op('aten::_local_scalar_dense', dims=[[]], cost=2.0):
                end = run.launch('Memcpy DtoH (Device -> Pageable)', 1.9, cat='gpu_memcpy',
                                 extra={'bytes': 4, 'memory bandwidth (GB/s)': 0.002},
                                 call='cudaMemcpyAsync')
                run.wait_for_device(MAIN, end)


def train(run):
    """Three profiled steps. The profiler's own record function opens inside one of its frames and
    closes inside the same frame of the next step, as it does in life."""
    model = Model(run)
    stalls = (310, 7400, 280)
    spans = []
    with run.frame('train.py(163): <module>'):
        with run.frame('train.py(148): main'):
            with run.frame('train.py(82): train_one_epoch'):
                for number, stall in enumerate(stalls, 1):
                    profiler_step(run, spans, number)
                    run.step = number
                    load_batch(run, stall)
                    model.forward()
                    model.loss()
                    reduced = model.backward()
                    clip_gradients(run, reduced)
                    optimizer_step(run, reduced)
                    read_loss(run)
                    with run.frame('train.py(104): log_metrics'):
                        run.work(MAIN, 85)
                        with run.frame('<built-in function print>'):
                            run.work(MAIN, 26)
                    run.step = None
                profiler_step(run, spans, None)
                run.work(MAIN, 120)
    return spans


def profiler_step(run, spans, number):
    with run.frame('torch/profiler/profiler.py(803): step', cost=6.0):
        if spans and spans[-1]['dur'] == 0:
            spans[-1]['dur'] = run.now[MAIN] - spans[-1]['ts']
        run.work(MAIN, 12)
        if number is not None:
            with run.frame('torch/autograd/profiler.py(790): __enter__', cost=2.0):
                run.external += 1
                event = {'ph': 'X', 'cat': 'user_annotation', 'name': 'ProfilerStep#%d' % number,
                         'pid': PID, 'tid': MAIN, 'ts': run.now[MAIN], 'dur': 0,
                         'args': {'External id': run.external, 'Record function id': 0,
                                  'Ev Idx': run.ev_idx}}
                run.ev_idx += 1
                run.cpu.append(event)
                spans.append(event)


def busy_share(kernels, t0, t1):
    """Share of [t0, t1) in which a kernel of the compute stream runs (they never overlap)."""
    return sum(max(0, min(e, t1) - max(s, t0)) for s, e in kernels if e > t0 and s < t1) / (t1 - t0)


def sample_counters(run, end):
    kernels = [(e['ts'], e['ts'] + e['dur']) for e in run.device
               if e['ph'] == 'X' and e['cat'] in ('kernel', 'gpu_memcpy') and e['tid'] == COMPUTE]
    step = 250 * US
    power = 118.0
    t = START
    while t + step <= end:
        busy = busy_share(kernels, t, t + step)
        power += (120 + 540 * busy - power) * 0.16 + 4 * (run.rng.random() - 0.5)
        t += step
        for name, value in (('SM active (%)', round(100 * busy, 1)), ('Power (W)', round(power, 1))):
            run.counters.append({'ph': 'C', 'cat': 'hardware_counters', 'name': name, 'pid': 0,
                                 'tid': 0, 'ts': t, 'args': {'': value}})


def metadata(end):
    rows = []

    def add(name, pid, tid, key, value):
        rows.append({'name': name, 'ph': 'M', 'ts': START, 'pid': pid, 'tid': tid,
                     'args': {key: value}})

    add('process_name', PID, 0, 'name', 'python')
    add('process_labels', PID, 0, 'labels', 'CPU')
    add('process_sort_index', PID, 0, 'sort_index', PID)
    for ordinal in range(RANKS):
        add('process_name', ordinal, 0, 'name', 'python')
        add('process_labels', ordinal, 0, 'labels', 'GPU %d' % ordinal)
        add('process_sort_index', ordinal, 0, 'sort_index', 5_000_000 + ordinal)
    for tid, name in ((MAIN, 'python'), (AUTOGRAD, 'pt_autograd_0'), (PIN, 'pt_data_pin')):
        add('thread_name', PID, tid, 'name', 'thread %d (%s)' % (tid, name))
        add('thread_sort_index', PID, tid, 'sort_index', tid)
    for stream in (COMPUTE, COMM):
        add('thread_name', 0, stream, 'name', 'stream %d ' % stream)
        add('thread_sort_index', 0, stream, 'sort_index', stream)
    span = 'PyTorch Profiler (0)'
    rows.append({'ph': 'X', 'cat': 'Trace', 'ts': START, 'dur': end - START, 'pid': SPANS_PID,
                 'tid': 'PyTorch Profiler', 'name': span, 'args': {'Op count': 0}})
    rows.append({'name': 'process_sort_index', 'ph': 'M', 'ts': START, 'pid': SPANS_PID, 'tid': 0,
                 'args': {'sort_index': 0x20000000}})
    rows.append({'name': 'Iteration Start: PyTorch Profiler', 'ph': 'i', 's': 'g', 'pid': 'Traces',
                 'tid': 'Trace PyTorch Profiler', 'ts': START})
    rows.append({'name': 'Record Window End', 'ph': 'i', 's': 'g', 'pid': '', 'tid': '', 'ts': end})
    return rows


def header():
    device = {'name': 'Accelerator 80GB (sample)', 'totalGlobalMem': 85_899_345_920,
              'computeMajor': 9, 'computeMinor': 0, 'maxThreadsPerBlock': 1024,
              'maxThreadsPerMultiprocessor': 2048, 'regsPerBlock': 65536, 'warpSize': 32,
              'sharedMemPerBlock': 49152, 'numSms': 132}
    return {
        'schemaVersion': 1,
        'deviceProperties': [dict(id=i, **device) for i in range(RANKS)],
        'distributedInfo': {'backend': 'nccl', 'rank': 0, 'world_size': RANKS, 'pg_count': 1,
                            'pg_config': [{'pg_name': '0', 'pg_desc': 'default_pg',
                                           'backend_config': 'cuda:nccl', 'pg_size': RANKS,
                                           'ranks': list(range(RANKS))}],
                            'nccl_version': '2.21.5'},
        'record_shapes': 1, 'profile_memory': 1, 'with_stack': 1,
        'cuda_runtime_version': 12040, 'cuda_driver_version': 12040,
        'trace_id': 'A5A3F9A0C7E14B1E8F0D6C2B9A487711',
        'displayTimeUnit': 'ms',
        'baseTimeNanoseconds': BASE_NS,
    }


def micros(ns):
    return '%d.%03d' % (ns // 1000, ns % 1000)


def write_event(out, event, last):
    """One event in the profiler's own layout: a few short lines, times with three decimals."""
    out.write('  {\n    "ph": "%s"' % event['ph'])
    for key in ('cat', 'name', 'id', 'pid', 'tid', 's', 'bp'):
        if key in event:
            out.write(', "%s": %s' % (key, json.dumps(event[key])))
    out.write(',\n    "ts": %s' % micros(event['ts']))
    if 'dur' in event:
        out.write(', "dur": %s' % micros(event['dur']))
    if 'args' in event:
        out.write(',\n    "args": {\n      %s\n    }' %
                  ', '.join('%s: %s' % (json.dumps(k), json.dumps(v))
                            for k, v in event['args'].items()))
    out.write('\n  }\n' if last else '\n  },\n')


def build():
    run = Run(20260101)
    spans = train(run)
    end = max([run.now[MAIN]] + list(run.free_at.values()))
    for stream, steps in run.step_spans.items():
        for number, (first, final) in steps.items():
            run.device.append({'ph': 'X', 'cat': 'gpu_user_annotation',
                               'name': 'ProfilerStep#%d' % number, 'pid': 0, 'tid': stream,
                               'ts': first - 1, 'dur': final - first + 2,
                               'args': {'External id': spans[number - 1]['args']['External id']}})
    run.device.append({'ph': 'X', 'cat': 'overhead', 'name': 'Activity Buffer Request', 'pid': -1,
                       'tid': 0, 'ts': START + 640 * US, 'dur': 913 * US + 412})
    sample_counters(run, end)
    flows = []
    for seq, forward, backward in run.fwdbwd:
        for ph, event in (('s', forward), ('f', backward)):
            flow = {'ph': ph, 'id': seq, 'pid': PID, 'tid': event['tid'], 'ts': event['ts'],
                    'cat': 'fwdbwd', 'name': 'fwdbwd'}
            if ph == 'f':
                flow['bp'] = 'e'
            flows.append(flow)
    events = (run.cpu + run.memory + flows + run.python + run.device + run.counters +
              metadata(end))
    text = io.StringIO()
    text.write('{\n')
    for key, value in header().items():
        text.write('  %s: %s,\n' % (json.dumps(key), json.dumps(value)))
    text.write('  "traceEvents": [\n')
    for i, event in enumerate(events):
        write_event(text, event, i + 1 == len(events))
    text.write('  ],\n  "traceName": "training-step.pt.trace.json"\n}\n')
    return text.getvalue().encode(), events


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'training-step.json.gz')
    text, events = build()
    with open(path, 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, mtime=0) as out:
        out.write(text)
    print('%s: %d events, %d bytes of text, %d bytes' % (path, len(events), len(text),
                                                         os.path.getsize(path)))


if __name__ == '__main__':
    main()
