/** The demo program: options, device, frame loop and the files it writes. */
@NullMarked
package io.frameloom.samples.demo;

import org.jspecify.annotations.NullMarked;
