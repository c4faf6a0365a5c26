/** Which pass comes after which, on which queue, and which waits and batches that takes. */
@NullMarked
package io.frameloom.rdg.compile.order;

import org.jspecify.annotations.NullMarked;
