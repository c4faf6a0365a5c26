/** How options are read from system properties, and where unasked messages go. */
@NullMarked
package io.frameloom.rdg.options;

import org.jspecify.annotations.NullMarked;
