/** The command that lists devices. */
@NullMarked
package io.frameloom.samples.devices;

import org.jspecify.annotations.NullMarked;
