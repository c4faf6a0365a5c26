/** The primitives of {@code io.frameloom.gpu.compute} at lengths of hundreds of millions of elements, held against a host. */
@NullMarked
package io.frameloom.stress.gpu.compute;

import org.jspecify.annotations.NullMarked;
