/** The command {@code match}: brackets of files, matched on a device. */
@NullMarked
package io.frameloom.samples.match;

import org.jspecify.annotations.NullMarked;
