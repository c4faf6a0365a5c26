/** CUDA beside Frameloom, on memory and timelines that both have. */
@NullMarked
package io.frameloom.stress.gpu.cuda;

import org.jspecify.annotations.NullMarked;
