/** A plan in words: reasons, warnings, undefined contents, drawings. */
@NullMarked
package io.frameloom.rdg.explain;

import org.jspecify.annotations.NullMarked;
