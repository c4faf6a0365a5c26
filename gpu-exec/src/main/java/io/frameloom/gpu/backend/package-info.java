/** Choice of a device by name across the backends. */
@NullMarked
package io.frameloom.gpu.backend;

import org.jspecify.annotations.NullMarked;
