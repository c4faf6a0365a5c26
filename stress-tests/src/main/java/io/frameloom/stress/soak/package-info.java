/** Random programs on the whole task graph, with an oracle, for as long as one likes. */
@NullMarked
package io.frameloom.stress.soak;

import org.jspecify.annotations.NullMarked;
