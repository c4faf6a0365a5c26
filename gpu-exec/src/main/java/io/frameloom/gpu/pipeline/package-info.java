/** Shaders, pipelines and what is bound to them. */
@NullMarked
package io.frameloom.gpu.pipeline;

import org.jspecify.annotations.NullMarked;
