/** The deferred frame: one class per pass or small group of passes, declared on a render graph. */
@NullMarked
package io.frameloom.samples.frame;

import org.jspecify.annotations.NullMarked;
