/** What the render graph and the reports need of this module besides its contracts; exported to them alone. */
@NullMarked
package io.frameloom.gpu.internal;

import org.jspecify.annotations.NullMarked;
