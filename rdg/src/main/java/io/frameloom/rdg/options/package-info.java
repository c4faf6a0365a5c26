/**
 * How options are read from system properties, where messages go that no caller asks for, and how names look in
 * messages.
 */
@NullMarked
package io.frameloom.rdg.options;

import org.jspecify.annotations.NullMarked;
