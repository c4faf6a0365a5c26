/** What frames touch, and what the next frame must therefore wait for. */
@NullMarked
package io.frameloom.rdg.execute.touch;

import org.jspecify.annotations.NullMarked;
