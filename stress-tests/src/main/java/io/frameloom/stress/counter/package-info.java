/** Properties of the prerequisite counter and of the set-up lock built on it. */
@NullMarked
package io.frameloom.stress.counter;

import org.jspecify.annotations.NullMarked;
