/**
 * The compiler of the render graph: pure functions from a {@link io.frameloom.rdg.declare.DeclaredGraph} to the data of
 * a {@link io.frameloom.rdg.FramePlan}. No Vulkan type and no thread. No iteration over hash maps, so that equal graphs
 * give equal plans. No decision depends on a clock; {@code PhaseClock} measures the phases if the options ask for it.
 *
 * <p>{@link io.frameloom.rdg.compile.GraphCompiler} runs the phases and says of each why it stands where it stands.
 * With a schedule {@code PassScheduling} finds another order of passes, with which all but the validation runs again.
 *
 * <p>The phases lie in packages: {@code validate}, {@code graph} (culling, states), {@code order} (queues, waits,
 * batches), {@code renderpass}, {@code memory} and {@code barrier}. {@code plan.Compilation} holds what they make.
 * {@code plan.PlanArrays} keeps of it what a plan needs, and {@code plan.PlanStructure} makes lists of that on request.
 */
@NullMarked
package io.frameloom.rdg.compile;

import org.jspecify.annotations.NullMarked;
