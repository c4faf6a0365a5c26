/** Passes that captures and clobber mode add to a graph. */
@NullMarked
package io.frameloom.rdg.insert;

import org.jspecify.annotations.NullMarked;
