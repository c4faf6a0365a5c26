/** Runnable programs and their command line. */
@NullMarked
package io.frameloom.samples;

import org.jspecify.annotations.NullMarked;
