/** How options are read from system properties, and where messages go that nobody asked for. */
@NullMarked
package io.frameloom.rdg.options;

import org.jspecify.annotations.NullMarked;
