/** The plan as arrays, and its lists, which are made on request. */
@NullMarked
package io.frameloom.rdg.compile.plan;

import org.jspecify.annotations.NullMarked;
