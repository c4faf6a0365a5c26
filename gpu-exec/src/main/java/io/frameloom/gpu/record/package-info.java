/** The checks of recorded commands that every backend makes before it does anything; not exported. */
@NullMarked
package io.frameloom.gpu.record;

import org.jspecify.annotations.NullMarked;
