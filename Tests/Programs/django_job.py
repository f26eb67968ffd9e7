# Loads 500 objects of a fixture with Django.
import json, sys
import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1] + "/store.db"}},
    USE_TZ=False, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
call_command("migrate", verbosity=0)
groups = [{"model": "auth.group", "pk": key, "fields": {"name": f"group {key}", "permissions": []}} for key in range(1, 501)]
with open(sys.argv[1] + "/groups.json", "w") as file:
    json.dump(groups, file)
call_command("loaddata", sys.argv[1] + "/groups.json", verbosity=0)
from django.contrib.auth.models import Group
print(Group.objects.count())
