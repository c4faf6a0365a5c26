/**
 * The compiler of the render graph: pure functions from a {@link io.frameloom.rdg.declare.DeclaredGraph} to the data of
 * a {@link io.frameloom.rdg.FramePlan}. No Vulkan type, no thread, no clock; no iteration over hash maps, so that equal
 * graphs give equal plans.
 *
 * <p>The phases, in the order in which {@link io.frameloom.rdg.compile.GraphCompiler} runs them: {@code Validator};
 * {@code SubresourceMap} (homogeneous cells and what each pass does to them), {@code Culling}; {@code QueueAssignment},
 * {@code UsedQueues}, {@code Ownership}; {@code StateMerge} (epochs of one state); {@code Dependencies} (hazards and levels);
 * {@code Transitions} (who hosts a change of state; own nodes where needed); {@code Synchronization} (vector clocks), or
 * {@code ExactWaits} with a clock for each stage; {@code Batching}; {@code TargetInference}, {@code RenderPassMerge},
 * {@code PhysicalPasses}, {@code LazyTargets}; {@code UsageCompletion}, {@code Lifetimes}, {@code Aliasing};
 * {@code BarrierHoisting}, {@code SplitBarriers}, {@code Barriers}; {@code SharedRenderPasses}, {@code RecordingGroups}. With a
 * schedule {@code PassScheduling} finds another order of passes, with which all but the validation runs again.
 *
 * <p>{@code KnownPasses} and {@code KnownResources} are the declaration, read once; {@code PlanLists} makes the lists of the
 * plan for whoever asks.
 */
@NullMarked
package io.frameloom.rdg.compile;

import org.jspecify.annotations.NullMarked;
