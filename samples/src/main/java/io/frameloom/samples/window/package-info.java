/** The sample of presentation: frames in a window, or on a surface that shows nothing. */
@NullMarked
package io.frameloom.samples.window;

import org.jspecify.annotations.NullMarked;
