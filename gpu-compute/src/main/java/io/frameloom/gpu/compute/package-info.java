/**
 * Parallel primitives for GPUs: {@linkplain io.frameloom.gpu.compute.PrefixScan prefix scan}, {@linkplain
 * io.frameloom.gpu.compute.StreamCompaction stream compaction}, {@linkplain io.frameloom.gpu.compute.BracketMatch
 * bracket matching} and {@linkplain io.frameloom.gpu.compute.ClipBoxes clip boxes}. Versions for the processor, whose
 * names begin with Cpu, give the same results; only their sums of floats are rounded in another order.
 *
 * <p>Each primitive is made once for a device and then recorded into any number of command lists, on any thread. It
 * records dispatches and the barriers between them, no pass. The caller declares the uses that the primitive returns,
 * by {@link io.frameloom.gpu.command.CommandList#beginPass} or as a pass of a render graph, and so orders it against
 * all other work. Scratch memory is the caller's; its contents do not matter before and mean nothing after.
 *
 * <p>No shader waits for another workgroup, so no driver has to guarantee progress. Workgroups exchange data only
 * between dispatches. {@link io.frameloom.gpu.compute.ScanVariant#LOOK_BACK} is the exception: there data travels in
 * single atomic words that need no order among them, and data that does not come is computed a second time. Within a
 * workgroup each barrier names its scopes and semantics, and each atomic names the device. The shaders declare the
 * Vulkan memory model where the device has {@link io.frameloom.gpu.DeviceLimits.Compute#vulkanMemoryModel}; only
 * barriers make shared memory available and visible. Elsewhere they are the same under the memory model of GLSL, and so
 * need no feature of a device.
 */
@NullMarked
package io.frameloom.gpu.compute;

import org.jspecify.annotations.NullMarked;
