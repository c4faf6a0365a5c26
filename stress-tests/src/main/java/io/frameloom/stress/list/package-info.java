/** Properties of the closable list of subsequents. */
@NullMarked
package io.frameloom.stress.list;

import org.jspecify.annotations.NullMarked;
