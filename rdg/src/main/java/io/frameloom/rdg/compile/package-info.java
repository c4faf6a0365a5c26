/**
 * The compiler of the render graph: pure functions from a {@link io.frameloom.rdg.compile.DeclaredGraph} to the data of
 * a {@link io.frameloom.rdg.FramePlan}. No Vulkan type, no thread, no clock; no iteration over hash maps, so that equal
 * graphs give equal plans.
 *
 * <p>The phases, one class each, in the order in which {@link io.frameloom.rdg.compile.GraphCompiler} runs them:
 * {@code Validator}, {@code SubresourceMap} (homogeneous cells and what each pass does to them), {@code Culling},
 * {@code QueueAssignment}, {@code Dependencies} (hazards and levels), {@code StateMerge} (epochs of one state),
 * {@code Transitions} (who hosts a change of state; own nodes where needed), {@code Synchronization} (vector clocks),
 * {@code Batching}, {@code Lifetimes} and {@code Aliasing}, {@code Barriers}, {@code TargetInference},
 * {@code RecordingGroups}. {@code KnownPasses} and {@code KnownResources} are the declaration, read once; {@code PlanLists} makes
 * the lists of the plan for whoever asks.
 */
@NullMarked
package io.frameloom.rdg.compile;

import org.jspecify.annotations.NullMarked;
