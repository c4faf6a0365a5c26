/** Vulkan by hand in plain LWJGL: what Frameloom is compared with. */
@NullMarked
package io.frameloom.benchmarks.gpu.plain;

import org.jspecify.annotations.NullMarked;
