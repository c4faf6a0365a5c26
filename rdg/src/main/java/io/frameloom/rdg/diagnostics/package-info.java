/** What finds mistakes in frames: options of diagnosis, what is reported to whom, and what a plan warns of. */
@NullMarked
package io.frameloom.rdg.diagnostics;

import org.jspecify.annotations.NullMarked;
