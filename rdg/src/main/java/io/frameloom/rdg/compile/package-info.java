/**
 * The compiler of the render graph: pure functions from a {@link io.frameloom.rdg.declare.DeclaredGraph} to the data of
 * a {@link io.frameloom.rdg.FramePlan}. No Vulkan type, no thread, no iteration over hash maps, so equal graphs give
 * equal plans. Only {@code PhaseClock} reads a clock, on request.
 *
 * <p>{@link io.frameloom.rdg.compile.GraphCompiler} runs the phases and says of each why it stands where it stands.
 * With a schedule {@code PassScheduling} finds another order of passes, with which all but the validation runs again.
 *
 * <p>It differs from Unreal's graph on purpose. No pass stands for the prologue or epilogue of a frame. Fork and join
 * of passes beside graphics are reported, but no wait and no lifetime follows from them. A change of layout stands at a
 * pass where one can carry it, not in one list per level.
 *
 * <p>{@code KnownPasses} and {@code KnownResources} are the declaration, read once; {@code PlanStructure} makes the
 * lists of the plan on request.
 */
@NullMarked
package io.frameloom.rdg.compile;

import org.jspecify.annotations.NullMarked;
