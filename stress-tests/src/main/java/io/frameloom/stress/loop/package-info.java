/** Properties of a {@code parallelFor}: each piece of the range goes to one participant. */
@NullMarked
package io.frameloom.stress.loop;

import org.jspecify.annotations.NullMarked;
