/** How long each transient lives, and where it lies in the heaps. */
@NullMarked
package io.frameloom.rdg.compile.memory;

import org.jspecify.annotations.NullMarked;
