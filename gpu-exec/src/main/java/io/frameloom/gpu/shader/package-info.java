/**
 * GLSL to SPIR-V, and the reflection of a compiled shader's resources.
 *
 * <p>A text with the line {@code #pragma shared_memory_by_barriers} that declares the Vulkan memory model has no fences
 * at its accesses to shared memory: its barriers must make available and visible.
 */
@NullMarked
package io.frameloom.gpu.shader;

import org.jspecify.annotations.NullMarked;
