/** What finds mistakes in frames: options of diagnosis, reports and their listener, and the warnings of a plan. */
@NullMarked
package io.frameloom.rdg.diagnostics;

import org.jspecify.annotations.NullMarked;
