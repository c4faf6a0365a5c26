package io.frameloom.gpu.shader;

import io.frameloom.gpu.resource.Format;

/** Formats as shaders see them. Stateless. */
final class StageFormats {
    private StageFormats() {}

    /** Returns the type of components as which a format is read and written. */
    static StageVariable.Base base(Format format) {
        String name = format.name();
        if (name.endsWith("_UINT") && !format.isDepth()) {
            return StageVariable.Base.UINT;
        }
        return name.endsWith("_SINT") ? StageVariable.Base.INT : StageVariable.Base.FLOAT;
    }
}
