/** The soak of the GPU executor: random resources and submissions for a long time, with flat memory and right bytes. */
@NullMarked
package io.frameloom.stress.gpu;

import org.jspecify.annotations.NullMarked;
