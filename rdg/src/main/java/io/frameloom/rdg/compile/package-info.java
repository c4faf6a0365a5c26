/**
 * The compiler of the render graph: pure functions from a {@link io.frameloom.rdg.declare.DeclaredGraph} to the data of
 * a {@link io.frameloom.rdg.FramePlan}. No Vulkan type, no thread, no clock; no iteration over hash maps, so that equal
 * graphs give equal plans.
 *
 * <p>{@link io.frameloom.rdg.compile.GraphCompiler} runs the phases and says of each why it stands where it stands. With a
 * schedule {@code PassScheduling} finds another order of passes, with which all but the validation runs again.
 *
 * <p>{@code KnownPasses} and {@code KnownResources} are the declaration, read once; {@code PlanStructure} makes the lists of the
 * plan on request.
 */
@NullMarked
package io.frameloom.rdg.compile;

import org.jspecify.annotations.NullMarked;
