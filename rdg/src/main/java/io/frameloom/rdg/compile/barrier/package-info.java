/** Where a resource changes its state, and which barriers that takes. */
@NullMarked
package io.frameloom.rdg.compile.barrier;

import org.jspecify.annotations.NullMarked;
