/** GLSL to SPIR-V, and what a compiled shader says about its resources. */
@NullMarked
package io.frameloom.gpu.shader;

import org.jspecify.annotations.NullMarked;
