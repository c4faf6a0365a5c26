/** Races of the work-stealing deque (6, 17, 18, 19). */
@NullMarked
package io.frameloom.stress.deque;

import org.jspecify.annotations.NullMarked;
