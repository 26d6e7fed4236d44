"""python3 -c <this> WHEEL FOLDER (FROM TO)...: copies the named files out of a wheel, executables stay executable."""
import os
import shutil
import sys
import zipfile

wheel, folder, *pairs = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for source, place in zip(pairs[::2], pairs[1::2]):
        path = os.path.join(folder, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        info = archive.getinfo(source)
        with archive.open(info) as reader, open(path, "wb") as writer:
            shutil.copyfileobj(reader, writer)
        if (info.external_attr >> 16) & 0o100:
            os.chmod(path, 0o755)
