/** A plan with what is bound to it for one frame: bodies, external resources, and where they were declared. */
@NullMarked
package io.frameloom.rdg.bind;

import org.jspecify.annotations.NullMarked;
